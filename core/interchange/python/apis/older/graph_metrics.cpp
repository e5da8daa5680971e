#include "core/interchange/python/apis/older/graph_metrics.h"

#include "core/interchange/python/apis/data/data_methods.h"
#include "core/interchange/python/apis/graphs/estimators.h"

#include <memory>

namespace core {

namespace {

PythonLibraryObject metricNamed(const std::string& name) {
    PythonLibraryObject metric = pythonObject(pythonGraphMetric);
    (*metric.attributes)["name"] = pythonText(name);
    return metric;
}

/// tf.metrics.accuracy(labels, predictions): the value, and the operation that updates it. The mean of what
/// in_top_k() answers is that metric.
PythonValue graphMetric(const PythonApiCall& call) {
    const PythonValue* values = call.arguments.find("values", 0);
    const bool isMean = call.name() == "mean" && values != nullptr && isGraphMetric(*values);
    const PythonValue metric = isMean ? *values : PythonValue(metricNamed(call.name()));
    return pythonList({metric, metric}, true);
}

/// A function that classes of Keras have under the same name: in TensorFlow 1 it is one of graphs.
PythonValue metricOfEither(const PythonApiCall& call) {
    return call.builder.importsOlderApi ? graphMetric(call) : PythonValue(samplesOfArguments(call.arguments));
}

/// tf.nn.in_top_k(predictions, targets, k).
PythonValue topHits(const PythonApiCall& call) {
    const PythonValue* k = call.arguments.find("k", 2);
    const PythonLibraryObject metric = metricNamed("in_top_k");
    if (k != nullptr && k->isWhole())
        (*metric.attributes)["k"] = *k;
    return metric;
}

} // namespace

bool isGraphMetric(const PythonValue& value) {
    const auto* object = value.as<PythonLibraryObject>();
    return object != nullptr && object->className == pythonGraphMetric;
}

std::vector<PythonApiName> graphMetricNames() {
    std::vector<PythonApiName> names;
    for (const char* name :
         {"accuracy", "mean", "auc", "precision", "recall", "mean_iou", "mean_per_class_accuracy",
          "root_mean_squared_error", "true_positives", "false_positives", "true_negatives", "false_negatives",
          "precision_at_k", "recall_at_k", "percentage_below", "average_precision_at_k"})
        names.push_back(readName(std::string("keras.metrics.") + name, graphMetric));
    for (const char* name : {"mean_squared_error", "mean_absolute_error", "mean_cosine_distance"})
        names.push_back(readName(std::string("keras.metrics.") + name, metricOfEither));
    for (const char* module : {"tf.nn.", "tf.math."})
        names.push_back(readName(std::string(module) + "in_top_k", topHits));
    return names;
}

} // namespace core
