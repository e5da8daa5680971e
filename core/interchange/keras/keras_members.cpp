#include "core/interchange/keras/keras_members.h"

#include "core/model/graph/graph_structure.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_definition.h"

#include <algorithm>

namespace core {

const Json* findMember(const Json& object, const char* key) {
    if (!object.is_object())
        return nullptr;
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string textMember(const Json& object, const char* key) {
    const Json* value = findMember(object, key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

bool isOneOf(const std::string& key, std::initializer_list<const char*> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

const Json* layerList(const Json& config) {
    if (config.is_array())
        return &config;
    const Json* list = findMember(config, "layers");
    return list != nullptr && list->is_array() ? list : nullptr;
}

bool isModelEntry(const Json& entry) {
    const std::string className = textMember(entry, "class_name");
    const Json* config = findMember(entry, "config");
    if (config == nullptr)
        return false;
    // A class of the user's own that Keras saved like a Functional model is one.
    return isModelClass(className) ||
           (findLayerDefinition(className) == nullptr && findMember(*config, "input_layers") != nullptr &&
            layerList(*config) != nullptr);
}

bool isSequentialClass(const std::string& className, const Json& config) {
    const std::size_t package = className.rfind('>');
    const std::string plain = package == std::string::npos ? className : className.substr(package + 1);
    return plain.find("Sequential") != std::string::npos || config.is_array();
}

} // namespace core
