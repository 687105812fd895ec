package vectors.resource;

/** One of the five. */
public class CreateHandler extends Behaviour {
}
