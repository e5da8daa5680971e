#include "core/model/data_type.h"

#include <array>
#include <utility>

namespace core {

namespace {

struct DataTypeRow {
    DataType type;
    std::string_view name;
    int bytes;
    bool floating;
};

constexpr std::array<DataTypeRow, 9> rows{{
    {DataType::Float32, "float32", 4, true},
    {DataType::Float16, "float16", 2, true},
    {DataType::Int32, "int32", 4, false},
    {DataType::Int16, "int16", 2, false},
    {DataType::Int8, "int8", 1, false},
    {DataType::UInt32, "uint32", 4, false},
    {DataType::UInt16, "uint16", 2, false},
    {DataType::UInt8, "uint8", 1, false},
    {DataType::Bool, "bool", 1, false},
}};

constexpr std::array<std::pair<std::string_view, DataType>, 6> aliases{{
    {"float64", DataType::Float32},
    {"double", DataType::Float32},
    {"float", DataType::Float32},
    {"half", DataType::Float16},
    {"int64", DataType::Int32},
    {"uint64", DataType::UInt32},
}};

const DataTypeRow& row(DataType type) {
    return rows[static_cast<std::size_t>(type)];
}

} // namespace

int elementBytes(DataType type) {
    return row(type).bytes;
}
bool isFloating(DataType type) {
    return row(type).floating;
}
std::string_view toString(DataType type) {
    return row(type).name;
}

std::optional<DataType> dataTypeFromName(std::string_view name) {
    for (const DataTypeRow& candidate : rows) {
        if (candidate.name == name)
            return candidate.type;
    }
    for (const auto& [alias, type] : aliases) {
        if (alias == name)
            return type;
    }
    return std::nullopt;
}

} // namespace core
