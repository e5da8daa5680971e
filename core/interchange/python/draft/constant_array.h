#pragma once

#include "core/base/json.h"
#include "core/interchange/python/language/library_values.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace core {

/// An array whose numbers the program says: a mask, a table of angles. Rows last, as NumPy keeps them.
struct PythonArray {
    std::vector<std::int64_t> extents;
    std::vector<double> numbers;
    /// A tensor of TensorFlow, not an array of NumPy: a stage must not take it from outside.
    bool isTensor = false;
    /// The stage in whose scope it was made; nothing: none.
    std::optional<std::int64_t> stage;
    /// What its numbers are; in a list, and so in an array of it, all of them alike.
    enum class Kind : std::uint8_t { Real, Whole, Truth };
    Kind kind = Kind::Real;
    /// Numbers of 16 bits.
    bool areHalves = false;
    /// Something was written into it that only a run knows.
    bool isOpen = false;
};

/// Numbers of an array at most: samples of 16 MiB.
inline constexpr std::int64_t mostArrayNumbers = 4'194'304;
/// Of one that becomes a part of a model at most: a project file holds them as text.
inline constexpr std::int64_t mostModelNumbers = 262'144;

/// The array of a value: of data that has one, of a number, of nested lists of numbers. Null: it is none, or
/// too large to be a part of a model.
[[nodiscard]] std::shared_ptr<const PythonArray> arrayOf(const PythonValue& value);
/// The same of any size: of samples.
[[nodiscard]] std::shared_ptr<const PythonArray> samplesArrayOf(const PythonValue& value);
/// Whether a value is an array of NumPy of so few rows that a program may look at each.
[[nodiscard]] bool isArrayOfProgram(const PythonValue& value);
/// Data with that array.
[[nodiscard]] PythonValue pythonArray(PythonArray array);
/// text.encode(): its bytes as whole numbers.
[[nodiscard]] PythonValue bytesOfText(const std::string& text);
/// One of its numbers as Python has it: whole, true or with a fraction.
[[nodiscard]] PythonValue numberOfArray(const PythonArray& array, std::size_t place);
/// What sums and products of both are.
[[nodiscard]] PythonArray::Kind joinedKind(PythonArray::Kind a, PythonArray::Kind b);
/// Rows of it, by places or a mask; nothing where an index is another one, or names no row.
[[nodiscard]] std::optional<PythonArray> rowsOfArray(const PythonArray& array, const PythonValue& index);
/// Its numbers as nested lists of Python; it has an axis.
[[nodiscard]] PythonValue listOfArray(const PythonArray& array);
/// The type that a program names: np.int32 or "int32"; empty: `type` is null or names none.
[[nodiscard]] std::string typeNamed(const PythonValue* type);
/// Whether such a name is that of 16 bit numbers.
[[nodiscard]] bool isHalfType(std::string_view type);
/// Samples of the type of that name.
void setType(PythonData& data, std::string_view type);
/// The same numbers as a type has them: "int32" cuts fractions off, "bool" asks whether they are 0.
[[nodiscard]] PythonArray arrayOfType(PythonArray array, std::string_view type);
/// Nested lists of its numbers; a number where it has no axis.
[[nodiscard]] Json jsonOf(const PythonArray& array);

/// An array of these extents; nothing where it would be too large.
[[nodiscard]] std::optional<PythonArray> filledArray(std::vector<std::int64_t> extents, double value);
/// Whether all its rows have the same numbers.
[[nodiscard]] bool haveOneRow(const PythonArray& array);
/// Element by element, with broadcasting; nothing where the extents do not fit.
[[nodiscard]] std::optional<PythonArray>
combinedArrays(const PythonArray& a, const PythonArray& b,
               const std::function<double(double, double)>& function);
/// The same numbers in other extents, of which one may be −1; nothing where they do not fit.
[[nodiscard]] std::optional<PythonArray> reshapedArray(const PythonArray& array,
                                                       std::vector<std::int64_t> extents);
/// Axes in another order.
[[nodiscard]] std::optional<PythonArray> transposedArray(const PythonArray& array,
                                                         std::span<const std::int64_t> order);

/// One axis of a selection: which of its places are taken; an axis that is indexed by a number goes, and
/// a new one has no source.
struct PythonArrayAxis {
    std::int64_t begin = 0;
    std::int64_t step = 1;
    std::int64_t count = 1;
    bool isKept = true;
    bool isNew = false;
};
/// array[index] as axes; nothing where the index is of another kind.
[[nodiscard]] std::optional<std::vector<PythonArrayAxis>> arrayAxes(const PythonArray& array,
                                                                    const PythonValue& index);
[[nodiscard]] PythonArray selectedArray(const PythonArray& array, std::span<const PythonArrayAxis> axes);
/// array[index] = value; false: the extents do not fit.
[[nodiscard]] bool assignArray(PythonArray& array, std::span<const PythonArrayAxis> axes,
                               const PythonArray& value);

} // namespace core
