// Constants of the standard library and of what belongs to it.
#include "core/interchange/python/apis/api_catalogue.h"

#include <array>
#include <limits>
#include <numbers>

namespace core {

std::optional<PythonValue> standardConstant(const std::string& path) {
    if (path == "math.pi" || path == "np.pi")
        return pythonConstant(std::numbers::pi);
    if (path == "math.e" || path == "np.e")
        return pythonConstant(std::numbers::e);
    if (path == "math.inf" || path == "np.inf")
        return pythonConstant(std::numeric_limits<double>::infinity());
    if (path == "np.newaxis" || path == "tf.newaxis")
        return PythonValue();
    constexpr std::array<std::pair<std::string_view, const char*>, 3> modes{
        {{"TRAIN", "train"}, {"EVAL", "eval"}, {"PREDICT", "infer"}}};
    constexpr std::string_view modeKeys = "tf.estimator.ModeKeys.";
    if (path.starts_with(modeKeys))
        for (const auto& [key, mode] : modes)
            if (path.substr(modeKeys.size()) == key)
                return pythonText(mode);
    constexpr std::array<std::pair<std::string_view, const char*>, 7> letters{
        {{"ascii_lowercase", "abcdefghijklmnopqrstuvwxyz"},
         {"ascii_uppercase", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
         {"ascii_letters", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"},
         {"digits", "0123456789"},
         {"hexdigits", "0123456789abcdefABCDEF"},
         {"punctuation", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"},
         {"printable", "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                       "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ \t\n\r\x0b\x0c"}}};
    constexpr std::string_view string = "string.";
    if (path.starts_with(string))
        for (const auto& [name, text] : letters)
            if (path.substr(string.size()) == name)
                return pythonText(text);
    if (path == "sys.version_info") // of the Python that TensorFlow 2.4 runs with
        return pythonList({pythonConstant(3), pythonConstant(8), pythonConstant(10)}, true);
    return std::nullopt;
}

} // namespace core
