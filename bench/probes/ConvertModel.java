import java.nio.file.Files;
import java.nio.file.Path;
import software.amazon.smithy.aws.cloudformation.schema.CfnConfig;
import software.amazon.smithy.aws.cloudformation.schema.fromsmithy.CfnConverter;
import software.amazon.smithy.model.Model;
import software.amazon.smithy.model.loader.ModelAssembler;
import software.amazon.smithy.model.node.Node;
import software.amazon.smithy.model.node.ObjectNode;

/** Loads a model without validating it and writes the schemas of one service's resources: MODEL SERVICE FOLDER. */
public final class ConvertModel {
    public static void main(String[] arguments) throws Exception {
        ClassLoader loader = ConvertModel.class.getClassLoader();
        Model model = Model.assembler(loader)
                .discoverModels(loader)
                .putProperty(ModelAssembler.ALLOW_UNKNOWN_TRAITS, true)
                .disableValidation()
                .addImport(Path.of(arguments[0]))
                .assemble()
                .getResult()
                .orElseThrow();
        ObjectNode settings = Node.objectNodeBuilder()
                .withMember("service", arguments[1])
                .withMember("organizationName", "Bench")
                .build();
        CfnConverter converter = CfnConverter.create();
        converter.config(CfnConfig.fromNode(settings));
        Path folder = Files.createDirectories(Path.of(arguments[2]));
        for (var schema : converter.convertToNodes(model).entrySet()) {
            String name = schema.getKey().replace("::", "-") + ".json";
            Files.writeString(folder.resolve(name), Node.prettyPrintJson(schema.getValue()));
        }
    }
}
