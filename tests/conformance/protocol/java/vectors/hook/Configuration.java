package vectors.hook;

/** Where the schema is. */
class Configuration extends BaseHookConfiguration {
    Configuration() {
        super("hook.json");
    }
}
