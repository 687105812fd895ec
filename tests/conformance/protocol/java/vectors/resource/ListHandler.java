package vectors.resource;

/** One of the five. */
public class ListHandler extends Behaviour {
}
