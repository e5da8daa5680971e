// Arrays in files: extents, and numbers of those that are not large. Formats: numpy/lib/format.py (.npy),
// PKWARE's APPNOTE 6.3 (.npz).
#include "core/interchange/python/apis/files/array_files.h"

#include "core/base/file.h"
#include "core/interchange/archive/deflate.h"
#include "core/interchange/python/apis/files/program_files.h"
#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/syntax/modules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace core {

namespace {

constexpr const char* archiveClass = "np.npz";
constexpr const char* archiveMembers = "$members";
/// The header of an array is short; a longer one is that of a structured type.
constexpr std::uint64_t longestHeader = 4096;

std::optional<std::string> pathOfArray(const PythonValue* value) {
    if (value == nullptr)
        return std::nullopt;
    return value->isText() ? std::optional(value->constant().get<std::string>()) : textOfPath(*value);
}

std::string bytesOf(const FileReader& file, std::uint64_t offset, std::uint64_t length) {
    if (offset >= file.size())
        return "";
    std::string bytes(std::min(length, file.size() - offset), '\0');
    const auto isRead = file.read(offset, std::as_writable_bytes(std::span(bytes)));
    return isRead ? bytes : "";
}

std::uint64_t littleEndianAt(std::string_view bytes, std::size_t offset, std::size_t count) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < count && offset + i < bytes.size(); ++i)
        number |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[offset + i])) << (8 * i);
    return number;
}

/// What stands behind a key of the header, which is written as a dictionary of Python.
std::string_view entryOf(std::string_view header, std::string_view key) {
    const std::size_t at = header.find(key);
    if (at == std::string_view::npos)
        return {};
    std::string_view rest = header.substr(at + key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of("'\": "), rest.size()));
    return rest.substr(0, rest.find_first_of(rest.starts_with('(') ? ")" : ",}'\""));
}

/// An array as the head of a .npy file has it.
struct HeadedArray {
    PythonData array;
    std::string type;
    bool isByColumns = false;
    std::size_t begin = 0;
};

/// The array that a .npy file begins with; nothing: it is none, or one of records.
std::optional<HeadedArray> headOf(std::string_view bytes) {
    constexpr std::string_view magic = "\x93NUMPY";
    constexpr std::size_t version = 6;
    if (!bytes.starts_with(magic) || bytes.size() < 12)
        return std::nullopt;
    const bool isFirst = bytes[version] == 1;
    const std::uint64_t length = littleEndianAt(bytes, version + 2, isFirst ? 2 : 4);
    const std::size_t begin = isFirst ? 10 : 12;
    if (bytes.size() - begin < length)
        return std::nullopt;
    const std::string_view header = bytes.substr(begin, length);
    const std::string_view type = entryOf(header, "descr");
    std::string_view tuple = entryOf(header, "shape");
    if (type.size() < 2 || !tuple.starts_with('('))
        return std::nullopt;
    HeadedArray headed{arrayOfShape(Json::array()), std::string(type),
                       entryOf(header, "fortran_order").starts_with("True"), begin + length};
    PythonData& array = headed.array;
    array.areWhole = type.find_first_of("iu") != std::string_view::npos;
    constexpr std::size_t mostAxes = 32;
    while (true) {
        const std::size_t digit = tuple.find_first_of("0123456789");
        if (tuple.substr(0, digit).find_first_not_of("(), L") != std::string_view::npos ||
            array.shape.size() > mostAxes)
            return std::nullopt;
        if (digit == std::string_view::npos)
            return headed;
        std::int64_t extent = 0;
        const char* const end = tuple.data() + tuple.size();
        const auto read = std::from_chars(tuple.data() + digit, end, extent);
        if (read.ec != std::errc())
            return std::nullopt;
        array.shape.push_back(extent);
        tuple = std::string_view(read.ptr, static_cast<std::size_t>(end - read.ptr));
    }
}

template <class Number>
void appendNumbersOf(std::string_view bytes, std::vector<double>& numbers) {
    for (std::size_t at = 0; at + sizeof(Number) <= bytes.size(); at += sizeof(Number)) {
        Number number{};
        std::memcpy(&number, bytes.data() + at, sizeof(Number));
        numbers.push_back(static_cast<double>(number));
    }
}

struct NumberType {
    std::string_view name; ///< NumPy's, without the order of its bytes
    std::size_t bytes;
    PythonArray::Kind kind;
    void (*append)(std::string_view, std::vector<double>&);
};
constexpr std::array numberTypes{
    NumberType{"f4", 4, PythonArray::Kind::Real, appendNumbersOf<float>},
    NumberType{"f8", 8, PythonArray::Kind::Real, appendNumbersOf<double>},
    NumberType{"i1", 1, PythonArray::Kind::Whole, appendNumbersOf<std::int8_t>},
    NumberType{"i2", 2, PythonArray::Kind::Whole, appendNumbersOf<std::int16_t>},
    NumberType{"i4", 4, PythonArray::Kind::Whole, appendNumbersOf<std::int32_t>},
    NumberType{"i8", 8, PythonArray::Kind::Whole, appendNumbersOf<std::int64_t>},
    NumberType{"u1", 1, PythonArray::Kind::Whole, appendNumbersOf<std::uint8_t>},
    NumberType{"u2", 2, PythonArray::Kind::Whole, appendNumbersOf<std::uint16_t>},
    NumberType{"u4", 4, PythonArray::Kind::Whole, appendNumbersOf<std::uint32_t>},
    NumberType{"u8", 8, PythonArray::Kind::Whole, appendNumbersOf<std::uint64_t>},
    NumberType{"b1", 1, PythonArray::Kind::Truth, appendNumbersOf<std::uint8_t>},
};

/// With its numbers, where they are few enough; `bytesFrom` answers so many bytes of the file from one on.
template <class Bytes>
PythonData arrayWithNumbers(const HeadedArray& headed, const Bytes& bytesFrom) {
    const bool isLittle = !headed.type.starts_with('>');
    const auto type =
        std::ranges::find(numberTypes, std::string_view(headed.type).substr(1), &NumberType::name);
    std::int64_t count = 1;
    std::vector<std::int64_t> extents;
    for (const Json& extent : headed.array.shape) {
        extents.push_back(extent.get<std::int64_t>());
        if (__builtin_mul_overflow(count, extents.back(), &count) || count > mostArrayNumbers)
            return headed.array;
    }
    if (!isLittle || headed.isByColumns || type == numberTypes.end() || extents.empty() || count < 1)
        return headed.array;
    const auto size = static_cast<std::uint64_t>(count) * type->bytes;
    const std::string bytes = bytesFrom(headed.begin, size);
    if (bytes.size() != size)
        return headed.array;
    PythonArray array;
    array.extents = std::move(extents);
    array.kind = type->kind;
    array.numbers.reserve(static_cast<std::size_t>(count));
    type->append(bytes, array.numbers);
    return *pythonArray(std::move(array)).as<PythonData>();
}

/// The arrays of an archive by their names; nothing: it is none.
std::optional<std::vector<std::pair<std::string, PythonData>>> membersOf(const FileReader& file) {
    constexpr std::uint64_t longestEnd = 65536 + 22;
    constexpr std::uint64_t largestMember = std::uint64_t{1} << 26;
    constexpr std::uint64_t largestDirectory = std::uint64_t{1} << 20;
    const std::uint64_t tail = std::min(file.size(), longestEnd);
    const std::string end = bytesOf(file, file.size() - tail, tail);
    const std::size_t at = end.rfind("PK\x05\x06");
    if (at == std::string::npos || end.size() - at < 22)
        return std::nullopt;
    const std::uint64_t size = littleEndianAt(end, at + 12, 4);
    const std::string directory =
        size <= largestDirectory ? bytesOf(file, littleEndianAt(end, at + 16, 4), size) : "";
    std::vector<std::pair<std::string, PythonData>> members;
    constexpr std::size_t entrySize = 46;
    constexpr std::size_t localSize = 30;
    constexpr std::string_view ending = ".npy";
    for (std::size_t next = 0; next + entrySize <= directory.size();) {
        const std::string_view entry = std::string_view(directory).substr(next);
        if (!entry.starts_with("PK\x01\x02"))
            return std::nullopt;
        const std::uint64_t nameSize = littleEndianAt(entry, 28, 2);
        std::string name(entry.substr(entrySize, nameSize));
        next += entrySize + nameSize + littleEndianAt(entry, 30, 2) + littleEndianAt(entry, 32, 2);
        const std::uint64_t offset = littleEndianAt(entry, 42, 4);
        const std::string local = bytesOf(file, offset, localSize);
        if (!name.ends_with(ending) || !local.starts_with("PK\x03\x04"))
            continue;
        const std::uint64_t begin =
            offset + localSize + littleEndianAt(local, 26, 2) + littleEndianAt(local, 28, 2);
        const std::uint64_t stored = littleEndianAt(entry, 20, 4);
        const bool isPacked = littleEndianAt(entry, 10, 2) != 0;
        const auto memberBytes = [&](std::uint64_t from, std::uint64_t length) {
            if (!isPacked)
                return bytesOf(file, begin + from, length);
            // Packed bytes are seldom more than what they unpack to; all are read only where they are.
            const std::uint64_t most = from + length;
            const std::uint64_t all = std::min(stored, largestMember);
            std::optional<std::string> begun;
            for (const std::uint64_t packed : {std::min(all, 2 * most), all})
                if (!begun)
                    begun = inflated(bytesOf(file, begin, packed), static_cast<std::size_t>(most),
                                     DeflateFormat::Raw);
            return !begun || begun->size() <= from ? std::string() : begun->substr(from);
        };
        if (const auto headed = headOf(memberBytes(0, longestHeader))) {
            name.resize(name.size() - ending.size());
            members.emplace_back(std::move(name), arrayWithNumbers(*headed, memberBytes));
        }
    }
    return members;
}

PythonValue unknownArrayFile(const PythonApiCall& call) {
    return samplesFrom(call.path + "()");
}

std::optional<FileReader> fileBeside(const PythonApiCall& call, const char* name) {
    const auto path = pathOfArray(call.arguments.find(name, 0));
    const auto file =
        path && call.builder.modules != nullptr ? call.builder.modules->file(*path) : std::nullopt;
    if (!file)
        return std::nullopt;
    auto opened = FileReader::open(*file);
    return opened ? std::optional(std::move(*opened)) : std::nullopt;
}

PythonValue loadArray(const PythonApiCall& call) {
    const auto file = fileBeside(call, "file");
    if (!file)
        return unknownArrayFile(call);
    const std::string begin = bytesOf(*file, 0, longestHeader);
    if (const auto headed = headOf(begin)) {
        PythonData array = arrayWithNumbers(
            *headed, [&](std::uint64_t from, std::uint64_t length) { return bytesOf(*file, from, length); });
        array.origin = call.path + "()";
        return array;
    }
    const auto members = begin.starts_with("PK") ? membersOf(*file) : std::nullopt;
    if (!members)
        return unknownArrayFile(call);
    std::vector<std::pair<PythonValue, PythonValue>> entries;
    PythonValues names;
    for (const auto& [name, array] : *members) {
        PythonData member = array;
        member.origin = call.path + "()";
        names.push_back(pythonText(name));
        entries.emplace_back(pythonText(name), std::move(member));
    }
    PythonLibraryObject archive = pythonObject(archiveClass);
    (*archive.attributes)[archiveMembers] = pythonDictionary(std::move(entries));
    (*archive.attributes)["files"] = pythonList(std::move(names));
    (*archive.attributes)[std::string(pythonEnterFunction)] = PythonValue();
    return archive;
}

/// The pieces of a line between delimiters; empty: between blanks.
std::int64_t columnsIn(std::string_view line, const std::string& delimiter) {
    std::int64_t columns = 0;
    if (!delimiter.empty()) {
        for (std::size_t at = 0; at != std::string_view::npos; ++columns) {
            at = line.find(delimiter, at);
            at = at == std::string_view::npos ? at : at + delimiter.size();
        }
        return columns;
    }
    constexpr std::string_view blanks = " \t\r\n";
    for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos; ++columns)
        at = line.find_first_not_of(blanks, line.find_first_of(blanks, at));
    return columns;
}

/// loadtxt() and genfromtxt(): a row for each line.
PythonValue loadRows(const PythonApiCall& call) {
    const auto path = pathOfArray(call.arguments.find("fname", 0));
    const auto text =
        path && call.builder.modules != nullptr ? call.builder.modules->text(*path) : std::nullopt;
    for (const char* other : {"names", "converters", "comments", "usemask", "encoding"})
        if (const PythonValue* given = call.arguments.given(other, 99); given != nullptr && !given->isText())
            return unknownArrayFile(call);
    const PythonValue* names = call.arguments.given("names", 99);
    if (!text || names != nullptr)
        return unknownArrayFile(call);
    const auto whole = [&](const char* name, std::int64_t byDefault) -> std::optional<std::int64_t> {
        const PythonValue* given = call.arguments.given(name, 99);
        if (given == nullptr)
            return byDefault;
        return given->isWhole() ? std::optional(given->constant().get<std::int64_t>()) : std::nullopt;
    };
    const bool isLoose = call.name() == "genfromtxt";
    const auto skipped = whole(isLoose ? "skip_header" : "skiprows", 0);
    const auto most = whole("max_rows", -1);
    const auto axes = whole("ndmin", 0);
    const PythonValue* delimiter = call.arguments.given("delimiter", 99);
    const PythonValue* chosen = call.arguments.given("usecols", 99);
    const PythonValue* turns = call.arguments.given("unpack", 99);
    const PythonValue* comments = call.arguments.given("comments", 99);
    if (!skipped || !most || !axes || (delimiter != nullptr && !delimiter->isText()) ||
        whole("skip_footer", 0) != 0)
        return unknownArrayFile(call);
    const std::string between = delimiter == nullptr ? "" : delimiter->constant().get<std::string>();
    const std::string remark = comments == nullptr ? "#" : comments->constant().get<std::string>();
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t number = 0;
    for (std::string_view rest = *text; !rest.empty() && (*most < 0 || rows < *most);) {
        const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
        std::string_view line = rest.substr(0, end + 1);
        rest.remove_prefix(end + 1);
        if (number++ < *skipped)
            continue;
        if (!remark.empty())
            line = line.substr(0, line.find(remark));
        if (line.find_first_not_of(" \t\r\n") == std::string_view::npos)
            continue;
        columns = rows == 0 ? columnsIn(line, between) : columns;
        ++rows;
    }
    if (chosen != nullptr)
        columns = chosen->isWhole() ? 1 : static_cast<std::int64_t>(chosen->items().size());
    if (rows == 0 || columns == 0)
        return unknownArrayFile(call);
    Json shape = Json::array({rows, columns});
    if (turns != nullptr && turns->constant() == true)
        std::swap(shape[0], shape[1]);
    for (std::size_t i = shape.size(); i > 0; --i) // axes of one are left out
        if (shape[i - 1] == 1 && static_cast<std::int64_t>(shape.size()) > *axes)
            shape.erase(i - 1);
    PythonData array = arrayOfShape(std::move(shape));
    array.origin = call.path + "()";
    return array;
}

/// memmap(file, dtype, mode, offset, shape).
PythonValue mappedArray(const PythonApiCall& call) {
    constexpr std::size_t position = 4;
    const PythonValue* shape = call.arguments.given("shape", position);
    PythonData array = arrayOfShape(shape == nullptr ? Json() : writtenShape(*shape));
    array.origin = call.path + "()";
    return array;
}

} // namespace

std::vector<PythonApiName> arrayFileNames(const std::string& prefix) {
    return {readName(prefix + "load", loadArray),
            readName(prefix + "loadtxt", loadRows),
            readName(prefix + "genfromtxt", loadRows),
            readName(prefix + "memmap", mappedArray),
            readName(prefix + "fromfile", unknownArrayFile),
            readName(prefix + "frombuffer", unknownArrayFile)};
}

std::optional<PythonValue> memberOfArchive(const PythonValue& archive, const PythonValue& name) {
    const auto* object = archive.as<PythonLibraryObject>();
    if (object == nullptr || object->className != archiveClass)
        return std::nullopt;
    for (const auto& [key, array] : *object->attributes->at(archiveMembers).as<PythonDictionary>()->entries)
        if (areEqual(key, name))
            return array;
    return samplesFrom("np.load()");
}

} // namespace core
