package vectors.resource;

/** One of the five. */
public class UpdateHandler extends Behaviour {
}
