package vectors.hook;

import lombok.Data;

/** What the vectors' handlers remember. */
@Data
public class CallbackContext {
    private Integer step;
}
