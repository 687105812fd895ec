package $package;

import com.fasterxml.jackson.databind.JsonNode;
import lombok.Data;

/** Carries the service's own callback context. */
@Data
public class CallbackContext {
    private JsonNode kept;
}
