#include "core/interchange/python/apis/calls/data_methods.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

PythonValue batch(const PythonApiCall& call, PythonData data) {
    if (const PythonValue* size = call.arguments.find("batch_size", 0); size != nullptr && size->isWhole())
        data.batchSize = size->constant().get<std::int64_t>();
    return data;
}

/// A run of a graph: what it feeds.
PythonValue run(const PythonApiCall& call, PythonData data) {
    for (const PythonValue& value : call.arguments.list)
        call.builder.feed(value);
    for (const auto& entry : call.arguments.keywords)
        call.builder.feed(entry.second);
    return data;
}

PythonValue reshape(const PythonApiCall&, PythonData data) {
    data.dataset.clear();
    return data;
}

struct DataMethod {
    std::string_view name;
    PythonValue (*meaning)(const PythonApiCall&, PythonData);
};
/// Others keep everything that is known.
constexpr std::array<DataMethod, 4> dataMethods{
    {{"batch", batch}, {"run", run}, {"reshape", reshape}, {"flatten", reshape}}};

} // namespace

PythonValue callDataMethod(const PythonApiCall& call, const PythonData& data) {
    PythonData result = data;
    result.placeholder = 0;
    const auto row = std::ranges::find(dataMethods, call.path, &DataMethod::name);
    return row == dataMethods.end() ? PythonValue(result) : row->meaning(call, result);
}

PythonValue samplesOfArguments(const PythonArguments& arguments) {
    PythonData result;
    for (const PythonValue& argument : arguments.list) {
        const auto* data = (argument.items().empty() ? argument : argument.items().front()).as<PythonData>();
        if (data != nullptr && result.dataset.empty()) {
            result.dataset = data->dataset;
            result.batchSize = data->batchSize;
        }
    }
    return result;
}

} // namespace core
