#include "core/interchange/python/apis/worker_clusters.h"

#include "core/base/json.h"

#include <array>
#include <memory>

namespace core {

namespace {

constexpr const char* clusterClass = "tf.train.ClusterSpec";
constexpr const char* workersOfCluster = "$workers";

PythonValue clusterOf(std::int64_t workers) {
    PythonLibraryObject cluster = pythonObject(clusterClass);
    if (workers > 0)
        (*cluster.attributes)[workersOfCluster] = pythonConstant(workers);
    return cluster;
}

/// {"chief": ["host0:1"], "worker": ["host1:1", "host2:1"]}: chief and workers train.
std::int64_t workersIn(const Json& cluster) {
    std::int64_t workers = 0;
    for (const char* job : {"chief", "worker"})
        if (cluster.is_object() && cluster.contains(job) && cluster[job].is_structured())
            workers += static_cast<std::int64_t>(cluster[job].size());
    return workers;
}

PythonValue clusterSpec(const PythonApiCall& call) {
    const PythonValue* jobs = call.arguments.find("cluster", 0);
    const auto* entries = jobs == nullptr ? nullptr : jobs->as<PythonDictionary>();
    return clusterOf(entries == nullptr ? 0 : workersIn(call.builder.json(*jobs, call.place())));
}

/// A resolver that is given the cluster.
PythonValue simpleResolver(const PythonApiCall& call) {
    const PythonValue* cluster = call.arguments.find("cluster_spec", 0);
    return cluster == nullptr ? clusterOf(0) : *cluster;
}

/// A resolver that reads the environment: the program may have set it.
PythonValue resolverOfEnvironment(const PythonApiCall& call) {
    for (const auto& [name, value] : *call.builder.environment.as<PythonDictionary>()->entries)
        if (name.constant() == "TF_CONFIG" && value.isText()) {
            const Json said = Json::parse(value.constant().get<std::string>(), nullptr, false);
            return clusterOf(said.is_object() ? workersIn(said.value("cluster", Json())) : 0);
        }
    return clusterOf(0);
}

PythonValue workerStrategy(const PythonApiCall& call) {
    const std::string name = call.name();
    call.builder.workerStrategy = {name, call.place()};
    constexpr std::string_view reducing = "IPUMultiReplicaStrategy";
    const PythonValue* reduces = call.arguments.find("add_ipu_cross_replica_reductions", 1);
    call.builder.reducesReplicas = name == reducing && (reduces == nullptr || reduces->constant() != false);
    const PythonValue* onHost =
        call.arguments.given("variables_on_host", name == "IPUHorovodStrategy" ? 1 : 2);
    call.builder.hasVariablesOnHost = onHost != nullptr && onHost->constant() == true;
    PythonValues given = call.arguments.list;
    for (const auto& [keyword, value] : call.arguments.keywords)
        given.push_back(value);
    for (const PythonValue& value : given)
        if (const auto* cluster = value.as<PythonLibraryObject>();
            cluster != nullptr && cluster->attributes->contains(workersOfCluster))
            call.builder.facts.workers =
                cluster->attributes->at(workersOfCluster).constant().get<std::int64_t>();
    constexpr std::array<const char*, 3> strategies{"IPUHorovodStrategy", "IPUMultiReplicaStrategy",
                                                    "IPUMultiWorkerStrategy"};
    for (const char* known : strategies)
        if (name.starts_with(known))
            call.builder.facts.training["distribution"] = known;
    return PythonScope();
}

} // namespace

std::vector<PythonApiName> workerStrategyNames() {
    std::vector<PythonApiName> names;
    for (const char* name : {"IPUHorovodStrategy", "IPUMultiWorkerStrategy", "IPUMultiWorkerStrategyV1",
                             "IPUMultiReplicaStrategy"})
        names.push_back(readName(std::string("ipu.**.") + name, workerStrategy));
    return names;
}

std::vector<PythonApiName> clusterNames() {
    return {readName(clusterClass, clusterSpec), readName("tf.**.SimpleClusterResolver", simpleResolver),
            readName("tf.**.TFConfigClusterResolver", resolverOfEnvironment)};
}

} // namespace core
