package vectors.resource;

/** One of the five. */
public class ReadHandler extends Behaviour {
}
