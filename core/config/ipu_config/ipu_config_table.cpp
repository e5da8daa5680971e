#include "core/config/ipu_config/ipu_config_table.h"

#include "core/config/ipu_config/ipu_config_rows.h"

#include <algorithm>
#include <unordered_map>

namespace core {

const std::vector<IpuConfigOption>& ipuConfigOptions() {
    static const std::vector<IpuConfigOption> options = [] {
        std::vector<IpuConfigOption> categorised;
        const auto add = [&](const auto& rows) {
            categorised.insert(categorised.end(), rows.begin(), rows.end());
        };
        add(ipu_config_rows::arithmeticRows);
        add(ipu_config_rows::systemRows);
        add(ipu_config_rows::compilerRows);
        // Categories by name, options of one category as documented.
        std::stable_sort(categorised.begin(), categorised.end(),
                         [](const IpuConfigOption& a, const IpuConfigOption& b) {
                             return a.name.substr(0, a.name.find('.')) < b.name.substr(0, b.name.find('.'));
                         });
        std::vector<IpuConfigOption> all(ipu_config_rows::topRows.begin(), ipu_config_rows::topRows.end());
        all.insert(all.end(), categorised.begin(), categorised.end());
        return all;
    }();
    return options;
}

const IpuConfigOption* findIpuConfigOption(std::string_view name) {
    const auto& options = ipuConfigOptions();
    const auto found = std::find_if(options.begin(), options.end(),
                                    [&](const IpuConfigOption& option) { return option.name == name; });
    return found == options.end() ? nullptr : &*found;
}

const Json& defaultValue(const IpuConfigOption& option) {
    static const std::unordered_map<std::string_view, Json> defaults = [] {
        std::unordered_map<std::string_view, Json> values;
        for (const IpuConfigOption& row : ipuConfigOptions())
            values.emplace(row.name, Json::parse(row.defaultText));
        return values;
    }();
    return defaults.at(option.name);
}

const std::vector<IpuConfigCategory>& ipuConfigCategories() {
    static const std::vector<IpuConfigCategory> categories{
        {"convolutions", "Options for convolutions."},
        {"device_connection", "When and how the program attaches to its IPUs."},
        {"experimental", "Options that may change or go without notice."},
        {"experimental.multi_replica_distribution",
         "Several processes that share the replicas of one program."},
        {"floating_point_behaviour", "What floating-point arithmetic does at its limits, and how it rounds."},
        {"io_tiles", "Tiles that only do input and output, beside the work of the others."},
        {"ipu_model", "The IPU Model, Graphcore's simulator of one IPU."},
        {"matmuls", "Options for matrix multiplications."},
        {"norms", "Options for batch, group, layer and instance normalisation."},
        {"norms.experimental", "Options for normalisations that may change or go without notice."},
        {"optimizations", "Optimisations of the compiler."},
        {"pooling", "Options for pooling."},
        {"scheduling", "How the operations of a program are put in order."},
    };
    return categories;
}

} // namespace core
