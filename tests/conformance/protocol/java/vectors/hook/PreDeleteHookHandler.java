package vectors.hook;

/** One of the three. */
public class PreDeleteHookHandler extends Behaviour {
}
