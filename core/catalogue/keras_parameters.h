#pragma once

#include "core/catalogue/keras_class.h"

namespace core {

// How the rows of the catalogues write their keys. Defaults are JSON texts; an empty one makes a key
// required.

inline KerasParameter switchKey(std::string_view name, std::string_view defaultText) {
    return {name, KerasParameterType::Switch, defaultText};
}

inline KerasParameter textKey(std::string_view name, std::string_view defaultText) {
    return {name, KerasParameterType::Text, defaultText};
}

inline KerasParameter numberKey(std::string_view name, std::string_view defaultText, double low,
                                double high) {
    return {name, KerasParameterType::Number, defaultText, low, high};
}

inline KerasParameter integerKey(std::string_view name, std::string_view defaultText, double low,
                                 double high) {
    return {name, KerasParameterType::Integer, defaultText, low, high};
}

/// A number from 0 to 1.
inline KerasParameter shareKey(std::string_view name, std::string_view defaultText) {
    return numberKey(name, defaultText, 0, 1);
}

inline KerasParameter notNegativeKey(std::string_view name, std::string_view defaultText) {
    return numberKey(name, defaultText, 0, 1e12);
}

} // namespace core
