#include "core/interchange/python/draft/constant_array.h"

#include "core/interchange/python/language/value.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace core {

namespace {

std::optional<std::int64_t> arraySize(std::span<const std::int64_t> extents) {
    std::int64_t size = 1;
    for (const std::int64_t extent : extents)
        if (extent < 0 || __builtin_mul_overflow(size, extent, &size) || size > mostArrayNumbers)
            return std::nullopt;
    return size;
}

/// Numbers between two neighbours of each axis.
std::vector<std::int64_t> stridesOf(std::span<const std::int64_t> extents) {
    std::vector<std::int64_t> strides(extents.size(), 1);
    for (std::size_t i = extents.size(); i > 1; --i)
        strides[i - 2] = strides[i - 1] * extents[i - 1];
    return strides;
}

/// Calls `visit` with the offset of every place of the extents, in order.
void walk(std::span<const std::int64_t> extents, std::span<const std::int64_t> strides, std::int64_t origin,
          const std::function<void(std::int64_t)>& visit) {
    if (extents.empty())
        return visit(origin);
    for (std::int64_t i = 0; i < extents.front(); ++i)
        walk(extents.subspan(1), strides.subspan(1), origin + i * strides.front(), visit);
}

PythonArray::Kind kindOf(const PythonValue& value) {
    return value.constant().is_boolean() ? PythonArray::Kind::Truth
           : value.isWhole()             ? PythonArray::Kind::Whole
                                         : PythonArray::Kind::Real;
}

/// Nested lists, all of one length at each depth.
bool appendNumbers(const PythonValue& value, std::size_t depth, PythonArray& array) {
    if (value.isNumber() || value.constant().is_boolean()) {
        const PythonArray::Kind kind = kindOf(value);
        array.kind = array.numbers.empty() || kind == array.kind ? kind : joinedKind(kind, array.kind);
        array.numbers.push_back(value.isNumber() ? value.constant().get<double>()
                                                 : (value.constant() == true ? 1 : 0));
        return depth == array.extents.size();
    }
    const auto* list = value.as<PythonList>();
    if (list == nullptr || list->isSet || list->isIterator || depth >= array.extents.size() ||
        static_cast<std::int64_t>(list->items->size()) != array.extents[depth])
        return false;
    return std::ranges::all_of(
        *list->items, [&](const PythonValue& item) { return appendNumbers(item, depth + 1, array); });
}

std::vector<std::int64_t> broadcastExtents(const PythonArray& a, const PythonArray& b, bool& fits) {
    const std::size_t rank = std::max(a.extents.size(), b.extents.size());
    const auto extent = [&](const PythonArray& array, std::size_t fromBack) {
        return fromBack < array.extents.size() ? array.extents[array.extents.size() - 1 - fromBack] : 1;
    };
    std::vector<std::int64_t> extents(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t one = extent(a, i);
        const std::int64_t other = extent(b, i);
        fits = fits && (one == other || one == 1 || other == 1);
        extents[rank - 1 - i] = one == 1 ? other : one;
    }
    return extents;
}

/// Strides of an array as it is read over larger extents: 0 where it repeats.
std::vector<std::int64_t> readStrides(const PythonArray& array, std::size_t rank) {
    const std::vector<std::int64_t> own = stridesOf(array.extents);
    std::vector<std::int64_t> strides(rank, 0);
    for (std::size_t i = 0; i < own.size(); ++i)
        if (array.extents[i] != 1)
            strides[rank - own.size() + i] = own[i];
    return strides;
}

Json nested(const PythonArray& array, std::size_t axis, std::size_t& next) {
    if (axis == array.extents.size())
        return array.numbers[next++];
    Json list = Json::array();
    for (std::int64_t i = 0; i < array.extents[axis]; ++i)
        list.push_back(nested(array, axis + 1, next));
    return list;
}

PythonValue nestedList(const PythonArray& array, std::size_t axis, std::size_t& next) {
    if (axis == array.extents.size())
        return numberOfArray(array, next++);
    PythonValues list;
    for (std::int64_t i = 0; i < array.extents[axis]; ++i)
        list.push_back(nestedList(array, axis + 1, next));
    return pythonList(std::move(list));
}

/// A slice of Python on an axis.
std::optional<PythonArrayAxis> sliceAxis(const PythonSlice& slice, std::int64_t extent) {
    const auto bound = [&](std::size_t at) -> std::optional<std::int64_t> {
        const PythonValue& value = slice.bounds->at(at);
        return value.isWhole() ? std::optional(value.constant().get<std::int64_t>()) : std::nullopt;
    };
    const bool isKnown = std::ranges::all_of(
        *slice.bounds, [](const PythonValue& value) { return value.isNone() || value.isWhole(); });
    const std::int64_t step = slice.bounds->size() > 2 ? bound(2).value_or(1) : 1;
    if (!isKnown || step < 1)
        return std::nullopt;
    const auto place = [&](std::int64_t at) {
        return std::clamp<std::int64_t>(at < 0 ? at + extent : at, 0, extent);
    };
    const std::int64_t begin = place(bound(0).value_or(0));
    const std::int64_t end = slice.bounds->size() > 1 ? place(bound(1).value_or(extent)) : extent;
    return PythonArrayAxis{begin, step, std::max<std::int64_t>((end - begin + step - 1) / step, 0), true,
                           false};
}

/// Offset, extents and strides of a selection.
struct Selection {
    std::int64_t origin = 0;
    std::vector<std::int64_t> extents;
    std::vector<std::int64_t> strides;
    std::vector<std::int64_t> keptExtents;
};
Selection selection(const PythonArray& array, std::span<const PythonArrayAxis> axes) {
    const std::vector<std::int64_t> own = stridesOf(array.extents);
    Selection made;
    std::size_t source = 0;
    for (const PythonArrayAxis& axis : axes) {
        const std::int64_t stride = axis.isNew ? 0 : own[source++];
        made.origin += axis.begin * stride;
        made.extents.push_back(axis.count);
        made.strides.push_back(stride * axis.step);
        if (axis.isKept)
            made.keptExtents.push_back(axis.count);
    }
    return made;
}

} // namespace

std::shared_ptr<const PythonArray> arrayOf(const PythonValue& value) {
    auto array = samplesArrayOf(value);
    const bool isTooLarge = array != nullptr && array->numbers.size() > std::size_t{mostModelNumbers};
    return isTooLarge ? nullptr : array;
}

std::shared_ptr<const PythonArray> samplesArrayOf(const PythonValue& value) {
    if (const auto* data = value.as<PythonData>())
        return data->array == nullptr || data->array->isOpen ? nullptr : data->array;
    PythonArray array;
    const PythonValue* level = &value;
    for (const PythonList* list = level->as<PythonList>(); list != nullptr; list = level->as<PythonList>()) {
        array.extents.push_back(static_cast<std::int64_t>(list->items->size()));
        if (list->items->empty())
            return nullptr;
        level = &list->items->front();
    }
    if (!arraySize(array.extents) || !appendNumbers(value, 0, array))
        return nullptr;
    return std::make_shared<const PythonArray>(std::move(array));
}

bool isArrayOfProgram(const PythonValue& value) {
    constexpr std::int64_t most = 4096;
    const auto* data = value.as<PythonData>();
    const auto array = data == nullptr || data->array == nullptr ? nullptr : arrayOf(value);
    return array != nullptr && !array->isTensor && !array->extents.empty() && array->extents.front() <= most;
}

PythonValue pythonArray(PythonArray array) {
    PythonData data;
    data.shape = Json::array();
    for (const std::int64_t extent : array.extents)
        data.shape.push_back(extent);
    data.areWhole = array.kind == PythonArray::Kind::Whole;
    data.areHalves = array.areHalves;
    data.array = std::make_shared<PythonArray>(std::move(array));
    return data;
}

PythonValue bytesOfText(const std::string& text) {
    const auto count = static_cast<std::int64_t>(text.size());
    if (count > mostArrayNumbers) {
        PythonData bytes;
        bytes.shape = Json::array({count});
        bytes.areWhole = true;
        return bytes;
    }
    PythonArray bytes;
    bytes.extents = {count};
    bytes.kind = PythonArray::Kind::Whole;
    for (const char one : text)
        bytes.numbers.push_back(static_cast<unsigned char>(one));
    return pythonArray(std::move(bytes));
}

PythonValue numberOfArray(const PythonArray& array, std::size_t place) {
    constexpr double exact = 9007199254740992.0;
    const double number = array.numbers.at(place);
    if (array.kind == PythonArray::Kind::Truth)
        return pythonConstant(number != 0);
    return array.kind == PythonArray::Kind::Whole && std::abs(number) < exact
               ? pythonConstant(static_cast<std::int64_t>(number))
               : pythonConstant(number);
}

PythonArray::Kind joinedKind(PythonArray::Kind a, PythonArray::Kind b) {
    const bool hasReal = a == PythonArray::Kind::Real || b == PythonArray::Kind::Real;
    return hasReal ? PythonArray::Kind::Real : PythonArray::Kind::Whole;
}

std::optional<PythonArray> rowsOfArray(const PythonArray& array, const PythonValue& index) {
    const auto* list = index.as<PythonList>();
    const auto places = list != nullptr && list->isTuple ? nullptr : arrayOf(index);
    if (places == nullptr || places->extents.empty() || array.extents.empty())
        return std::nullopt;
    const std::int64_t rows = array.extents.front();
    std::vector<std::int64_t> extents = places->extents;
    std::vector<std::int64_t> taken;
    if (places->kind == PythonArray::Kind::Truth) {
        if (places->extents != std::vector{rows})
            return std::nullopt;
        for (std::int64_t i = 0; i < rows; ++i)
            if (places->numbers[static_cast<std::size_t>(i)] != 0)
                taken.push_back(i);
        extents = {static_cast<std::int64_t>(taken.size())};
    } else {
        if (!std::ranges::all_of(places->numbers, [](double number) { return std::isfinite(number); }))
            return std::nullopt;
        for (const double number : places->numbers) {
            const auto at = static_cast<std::int64_t>(std::clamp(number, -1e15, 1e15));
            taken.push_back(at < 0 ? at + rows : at);
        }
    }
    if (!std::ranges::all_of(taken, [&](std::int64_t at) { return at >= 0 && at < rows; }))
        return std::nullopt;
    extents.insert(extents.end(), array.extents.begin() + 1, array.extents.end());
    auto made = filledArray(std::move(extents), 0);
    if (!made)
        return std::nullopt;
    const std::size_t length = rows == 0 ? 0 : array.numbers.size() / static_cast<std::size_t>(rows);
    for (std::size_t i = 0; i < taken.size(); ++i)
        std::copy_n(array.numbers.begin() +
                        static_cast<std::ptrdiff_t>(static_cast<std::size_t>(taken[i]) * length),
                    length, made->numbers.begin() + static_cast<std::ptrdiff_t>(i * length));
    made->kind = array.kind;
    made->isTensor = array.isTensor;
    made->stage = array.stage;
    return made;
}

PythonValue listOfArray(const PythonArray& array) {
    std::size_t next = 0;
    return nestedList(array, 0, next);
}

std::string typeNamed(const PythonValue* type) {
    if (type == nullptr)
        return "";
    if (const auto* name = type->as<PythonLibraryName>())
        return lastPart(name->path);
    return type->isText() ? type->constant().get<std::string>() : "";
}

bool isHalfType(std::string_view type) {
    return type == "float16" || type == "half";
}

void setType(PythonData& data, std::string_view type) {
    data.areHalves = isHalfType(type);
    data.areWhole = type.find("int") != std::string_view::npos;
    data.byteType = type == "uint8" || type == "int8" ? type : "";
}

PythonArray arrayOfType(PythonArray array, std::string_view type) {
    if (type.find("bool") != std::string_view::npos || type.find("int") != std::string_view::npos ||
        type.find("float") != std::string_view::npos || type == "half")
        array.areHalves = isHalfType(type);
    if (type.find("bool") != std::string_view::npos) {
        array.kind = PythonArray::Kind::Truth;
        for (double& number : array.numbers)
            number = number != 0 ? 1 : 0;
    } else if (type.find("int") != std::string_view::npos) {
        array.kind = PythonArray::Kind::Whole;
        for (double& number : array.numbers)
            number = std::trunc(number);
    } else if (type.find("float") != std::string_view::npos) {
        array.kind = PythonArray::Kind::Real;
    }
    return array;
}

Json jsonOf(const PythonArray& array) {
    std::size_t next = 0;
    return nested(array, 0, next);
}

std::optional<PythonArray> filledArray(std::vector<std::int64_t> extents, double value) {
    const auto size = arraySize(extents);
    if (!size)
        return std::nullopt;
    PythonArray made;
    made.extents = std::move(extents);
    made.numbers.assign(static_cast<std::size_t>(*size), value);
    return made;
}

bool haveOneRow(const PythonArray& array) {
    const auto rows = array.extents.empty() ? 0 : array.extents.front();
    const auto length = rows > 0 ? static_cast<std::ptrdiff_t>(array.numbers.size()) / rows : 0;
    return length > 0 &&
           std::equal(array.numbers.begin() + length, array.numbers.end(), array.numbers.begin());
}

std::optional<PythonArray> combinedArrays(const PythonArray& a, const PythonArray& b,
                                          const std::function<double(double, double)>& function) {
    bool fits = true;
    std::vector<std::int64_t> extents = broadcastExtents(a, b, fits);
    auto made = fits ? filledArray(std::move(extents), 0) : std::nullopt;
    if (!made)
        return std::nullopt;
    const std::size_t rank = made->extents.size();
    std::vector<double> left;
    walk(made->extents, readStrides(a, rank), 0,
         [&](std::int64_t at) { left.push_back(a.numbers[static_cast<std::size_t>(at)]); });
    std::size_t next = 0;
    walk(made->extents, readStrides(b, rank), 0, [&](std::int64_t at) {
        made->numbers[next] = function(left[next], b.numbers[static_cast<std::size_t>(at)]);
        ++next;
    });
    // A number takes the type of the array that it meets.
    const auto fits16 = [](const PythonArray& one) { return one.areHalves || one.extents.empty(); };
    made->areHalves = (a.areHalves || b.areHalves) && fits16(a) && fits16(b);
    made->isTensor = a.isTensor || b.isTensor;
    made->stage = a.isTensor ? a.stage : b.stage;
    return made;
}

std::optional<PythonArray> reshapedArray(const PythonArray& array, std::vector<std::int64_t> extents) {
    const auto size = static_cast<std::int64_t>(array.numbers.size());
    std::int64_t known = 1;
    for (const std::int64_t extent : extents)
        if (extent >= 0 && __builtin_mul_overflow(known, extent, &known))
            return std::nullopt;
    for (std::int64_t& extent : extents)
        if (extent == -1)
            extent = known == 0 ? 0 : size / known;
    if (arraySize(extents) != size)
        return std::nullopt;
    PythonArray made = array;
    made.extents = std::move(extents);
    return made;
}

std::optional<PythonArray> transposedArray(const PythonArray& array, std::span<const std::int64_t> order) {
    std::vector<std::int64_t> sorted(order.begin(), order.end());
    std::ranges::sort(sorted);
    std::vector<std::int64_t> all(array.extents.size());
    std::iota(all.begin(), all.end(), 0);
    if (sorted != all)
        return std::nullopt;
    const std::vector<std::int64_t> own = stridesOf(array.extents);
    PythonArray made = array;
    std::vector<std::int64_t> strides;
    made.extents.clear();
    for (const std::int64_t axis : order) {
        made.extents.push_back(array.extents[static_cast<std::size_t>(axis)]);
        strides.push_back(own[static_cast<std::size_t>(axis)]);
    }
    made.numbers.clear();
    walk(made.extents, strides, 0,
         [&](std::int64_t at) { made.numbers.push_back(array.numbers[static_cast<std::size_t>(at)]); });
    return made;
}

std::optional<std::vector<PythonArrayAxis>> arrayAxes(const PythonArray& array, const PythonValue& index) {
    const auto* tuple = index.as<PythonList>();
    const PythonValues entries =
        tuple != nullptr && tuple->isTuple ? PythonValues(*tuple->items) : PythonValues{index};
    const auto isNew = [](const PythonValue& entry) { return entry.isNone(); };
    const auto isEllipsis = [](const PythonValue& entry) { return entry.is<PythonEllipsis>(); };
    const auto named = static_cast<std::size_t>(std::ranges::count_if(
        entries, [&](const PythonValue& entry) { return !isNew(entry) && !isEllipsis(entry); }));
    if (named > array.extents.size() || std::ranges::count_if(entries, isEllipsis) > 1)
        return std::nullopt;
    std::vector<PythonArrayAxis> axes;
    std::size_t source = 0;
    const auto whole = [&](std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            axes.push_back({0, 1, array.extents[source++], true, false});
    };
    for (const PythonValue& entry : entries) {
        if (isNew(entry)) {
            axes.push_back({0, 1, 1, true, true});
        } else if (isEllipsis(entry)) {
            whole(array.extents.size() - named);
        } else if (const auto* slice = entry.as<PythonSlice>()) {
            const auto axis = sliceAxis(*slice, array.extents[source++]);
            if (!axis)
                return std::nullopt;
            axes.push_back(*axis);
        } else if (entry.isWhole()) {
            const std::int64_t extent = array.extents[source++];
            const auto at = entry.constant().get<std::int64_t>();
            const std::int64_t place = at < 0 ? at + extent : at;
            if (place < 0 || place >= extent)
                return std::nullopt;
            axes.push_back({place, 1, 1, false, false});
        } else {
            return std::nullopt;
        }
    }
    whole(array.extents.size() - source);
    return axes;
}

PythonArray selectedArray(const PythonArray& array, std::span<const PythonArrayAxis> axes) {
    const Selection chosen = selection(array, axes);
    PythonArray made = array;
    made.extents = chosen.keptExtents;
    made.numbers.clear();
    walk(chosen.extents, chosen.strides, chosen.origin,
         [&](std::int64_t at) { made.numbers.push_back(array.numbers[static_cast<std::size_t>(at)]); });
    return made;
}

bool assignArray(PythonArray& array, std::span<const PythonArrayAxis> axes, const PythonArray& value) {
    const Selection chosen = selection(array, axes);
    auto target = filledArray(chosen.keptExtents, 0);
    const auto spread =
        target ? combinedArrays(*target, value, [](double, double given) { return given; }) : std::nullopt;
    if (!spread || spread->extents != chosen.keptExtents)
        return false;
    std::size_t next = 0;
    walk(chosen.extents, chosen.strides, chosen.origin, [&](std::int64_t at) {
        const double number = spread->numbers[next++];
        array.numbers[static_cast<std::size_t>(at)] =
            array.kind == PythonArray::Kind::Whole ? std::trunc(number) : number;
    });
    return true;
}

} // namespace core
