#pragma once

#include "core/interchange/python/language/value.h"

#include <functional>
#include <optional>
#include <string>

/// Extents of samples, as far as the program says them. Shapes are JSON lists in which null is an open
/// extent; null for the whole: nothing is known.
namespace core {

[[nodiscard]] PythonData arrayOfShape(Json shape);
/// The same with a word about where it comes from: "np.load()".
[[nodiscard]] PythonData samplesFrom(std::string origin);

/// The array that a list makes: its extents, or at least how many it has.
[[nodiscard]] PythonData arrayOfList(const PythonValue& list);
/// What an array keeps of the one that it is made of, in these extents.
[[nodiscard]] PythonData likeArray(const PythonValue& source, Json shape);
/// Whether they are known to be whole numbers: as an index they are places.
[[nodiscard]] bool areWholeNumbers(const PythonValue& value);
/// An axis of so many, from the front; nothing: it is none of them.
[[nodiscard]] std::optional<std::size_t> axisAt(const PythonValue* axis, std::size_t rank);

/// The same, of the axis `otherwise` where none is given.
[[nodiscard]] std::optional<std::size_t> axisAt(const PythonValue* axis, std::size_t rank,
                                                std::int64_t otherwise);
/// Makes a shape flat where no axis is given, or None; else nothing is changed. Which axis it is then about.
[[nodiscard]] std::optional<std::size_t> flatUnlessAxis(Json& shape, const PythonValue* axis);

/// Of an array, a number (no axes) or lists of such; null where it is not known.
[[nodiscard]] Json shapeOf(const PythonValue& value);
/// A list of extents as a program writes it: (28, 28), [None, 4], 10; null where one is neither number nor
/// None.
[[nodiscard]] Json writtenShape(const PythonValue& value);

/// The product of two extents; null where one is open.
[[nodiscard]] Json productOfExtents(const Json& a, const Json& b);
/// Their sum, likewise; null where it is below 0.
[[nodiscard]] Json sumOfExtents(const Json& a, std::int64_t b);
[[nodiscard]] Json sumOfExtents(const Json& a, const Json& b);
/// Extent of all numbers of that shape in a row.
[[nodiscard]] Json flatExtent(const Json& shape);
[[nodiscard]] Json broadcastShapes(const Json& a, const Json& b);
/// Each extent times that of the other; the shorter of both gets axes in front.
[[nodiscard]] Json productOfShapes(Json a, Json b);
/// Puts an array behind another one along an axis; a null `whole` is none yet. False: they do not fit.
[[nodiscard]] bool appendShape(Json& whole, Json shape, std::size_t axis);
/// Of a matrix product; null where it is not known.
[[nodiscard]] Json productShape(const Json& a, const Json& b);
/// x.reshape(target), with at most one −1.
[[nodiscard]] Json reshapedShape(const Json& shape, const Json& target);
/// x[index].
[[nodiscard]] Json indexedShape(const Json& shape, const PythonValue& index);
/// Without its first axis; the shape itself where it has none.
[[nodiscard]] Json withoutBatch(Json shape);
/// Without the axis, or with an extent of 1 there.
[[nodiscard]] Json reducedShape(const Json& shape, const PythonValue* axis, bool keepsAxis);

/// The same structure of tuples, lists and dictionaries with every array in it changed.
[[nodiscard]] PythonValue mapSamples(const PythonValue& structure,
                                     const std::function<PythonData(const PythonData&)>& change);
/// The first array of a structure; null: there is none.
[[nodiscard]] const PythonData* firstSamples(const PythonValue& structure);
/// The structure without the first axis of its arrays: one sample of them.
[[nodiscard]] PythonValue oneSample(const PythonValue& structure);
/// Extent of the first axis of the arrays of a structure, where one of them is known; else unknownCount.
[[nodiscard]] std::int64_t countSamples(const PythonValue& structure);

} // namespace core
