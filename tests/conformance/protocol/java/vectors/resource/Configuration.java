package vectors.resource;

/** Where the schema is. */
class Configuration extends BaseConfiguration {
    Configuration() {
        super("resource.json");
    }
}
