package vectors.hook;

/** One of the three. */
public class PreUpdateHookHandler extends Behaviour {
}
