#pragma once

#include "core/interchange/python/language/interpreter.h"

#include <optional>
#include <string>

namespace core {

/// A call of a function that a list, dictionary or text has.
struct PythonValueCall {
    PythonInterpreter& interpreter;
    const PythonValue& owner;
    const std::string& name;
    PythonArguments& arguments;
};
using PythonValueMethod = PythonValue (*)(const PythonValueCall&);

/// Null: a value of this kind has no function of that name that is followed.
[[nodiscard]] PythonValueMethod findValueMethod(const PythonValue& owner, const std::string& name);
/// The same for texts.
[[nodiscard]] PythonValueMethod findTextMethod(const std::string& name);

// Objects of classes of the program that are derived from dict.

/// Whether a class's base in the library is a dictionary.
[[nodiscard]] bool isDictionaryBase(const std::string& base);
/// Gives a new object its entries.
void beginDictionary(const PythonInstance& object);
/// A function that the object has from dict; nothing: it is no dictionary, or dict has no such function.
[[nodiscard]] std::optional<PythonValue> callOfDictionary(PythonInterpreter& interpreter,
                                                          const PythonInstance& object,
                                                          const std::string& name,
                                                          PythonArguments& arguments);
/// What __getattr__ of its class, or `self.__dict__ = self`, makes of an attribute that the object has not;
/// nothing: it has none of them.
[[nodiscard]] std::optional<PythonValue> absentAttribute(PythonInterpreter& interpreter,
                                                         const PythonInstance& object,
                                                         const std::string& name, PythonPlace place);
/// Sets an attribute of a dictionary whose attributes are its entries; false: they are not.
[[nodiscard]] bool setEntryAsAttribute(const PythonInstance& object, const std::string& name,
                                       const PythonValue& value);

} // namespace core
