#pragma once

#include "core/base/json.h"

#include <initializer_list>
#include <string>

namespace core {

/// A member of an object; null where it is absent, null, or the value is no object.
[[nodiscard]] const Json* findMember(const Json& object, const char* key);
/// A text among the members; empty where there is none.
[[nodiscard]] std::string textMember(const Json& object, const char* key);
[[nodiscard]] bool isOneOf(const std::string& key, std::initializer_list<const char*> keys);
/// The layers of a model's config, which is a list itself in old files; null where it has none.
[[nodiscard]] const Json* layerList(const Json& config);
/// Whether an entry {"class_name", "config"} is a model.
[[nodiscard]] bool isModelEntry(const Json& entry);
[[nodiscard]] bool isSequentialClass(const std::string& className, const Json& config);

} // namespace core
