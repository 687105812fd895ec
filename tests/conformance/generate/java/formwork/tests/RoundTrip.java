package formwork.tests;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import org.json.JSONObject;
import software.amazon.cloudformation.resource.Serializer;

/** Reads {"type": class, "value": ...} a line, and writes the value a line as AWS's serializer gives it back. */
public final class RoundTrip {
    private RoundTrip() {
    }

    public static void main(final String[] arguments) throws Exception {
        final Serializer serializer = new Serializer();
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            System.out.println(answer(serializer, new JSONObject(line)));
        }
    }

    private static String answer(final Serializer serializer, final JSONObject asked) {
        try {
            final Class<?> type = Class.forName(asked.getString("type"));
            final Object model = serializer.deserialize(
                asked.getJSONObject("value").toString(),
                new TypeReference<Object>() {
                    @Override
                    public Type getType() {
                        return type;
                    }
                });
            final Object again = serializer.deserialize(
                serializer.serialize(model),
                new TypeReference<Object>() {
                    @Override
                    public Type getType() {
                        return type;
                    }
                });
            if (!model.equals(again)) {
                return new JSONObject().put("error", "another model comes back").toString();
            }
            return serializer.serialize(model);
        } catch (final Exception error) {
            return new JSONObject().put("error", String.valueOf(error)).toString();
        }
    }
}
