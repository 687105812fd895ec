package vectors.hook;

/** One of the three. */
public class PreCreateHookHandler extends Behaviour {
}
