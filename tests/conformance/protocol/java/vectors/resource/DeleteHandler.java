package vectors.resource;

/** One of the five. */
public class DeleteHandler extends Behaviour {
}
