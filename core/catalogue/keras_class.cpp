#include "core/catalogue/keras_class.h"

#include "core/text/text_case.h"

#include <algorithm>

namespace core {

const KerasParameter* KerasClass::parameter(std::string_view name) const {
    const auto found = std::ranges::find(parameters, name, &KerasParameter::name);
    return found == parameters.end() ? nullptr : &*found;
}

bool KerasClass::isFunctionName(std::string_view text) const {
    return std::ranges::find(aliases, text) != aliases.end() || snakeCase(className) == text;
}

const KerasClass* KerasCatalogue::find(std::string_view className) const {
    const auto found = std::ranges::find(classes, className, &KerasClass::className);
    return found == classes.end() ? nullptr : &*found;
}

const KerasClass* KerasCatalogue::named(std::string_view text) const {
    for (const KerasClass& candidate : classes) {
        if (candidate.className == text || candidate.isFunctionName(text))
            return &candidate;
    }
    const std::string wanted = lowerCase(text);
    const auto found = std::ranges::find_if(
        classes, [&](const KerasClass& candidate) { return lowerCase(candidate.className) == wanted; });
    return found == classes.end() ? nullptr : &*found;
}

} // namespace core
