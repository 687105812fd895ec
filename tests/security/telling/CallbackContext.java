package $package;

import java.util.Map;
import lombok.Data;

/** Carries what the handler was told. */
@Data
public class CallbackContext {
    private String told;
    private Map<String, Integer> key;
}
