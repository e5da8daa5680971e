#include "core/catalogue/functions.h"
#include "simulator/cost/operations/operation_planners.h"
#include "simulator/graph/rules/gradient_rule.h"
#include "simulator/numerics/bindings/bind_operation.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <set>
#include <string>

using namespace simulator;

namespace {

bool isThere(const Binding& binding) {
    return binding.bind != nullptr;
}
template <class Function>
bool isThere(Function* function) {
    return function != nullptr;
}

/// What is wrong with the rows of one part: kinds without a row or with two, rows with neither part nor
/// reason.
template <class Part>
std::string faultsOf(const char* name, std::span<const PartRow<Part>> rows) {
    std::string faults;
    for (std::size_t kind = 0; kind < kindCount; ++kind) {
        const std::string who = std::string(kindName(kind)) + ": " + name;
        const auto count = std::ranges::count(rows, kind, &PartRow<Part>::kind);
        if (count != 1)
            faults += who + " has " + std::to_string(count) + " rows\n";
        for (const PartRow<Part>& row : rows)
            if (row.kind == kind && isThere(row.part) != row.whyNone.empty())
                faults += who + " needs either a part or the reason why there is none\n";
    }
    return faults;
}

} // namespace

class OperationPartsTest : public QObject {
    Q_OBJECT

private slots:
    void everyKindHasOutputsAGradientAPriceAndAKernelOrSaysWhyNot() {
        const std::string faults =
            faultsOf("outputs", outputRules().rows()) + faultsOf("gradient", gradientRules().rows()) +
            faultsOf("price", planners().rows()) + faultsOf("kernel", bindings().rows());
        QVERIFY2(faults.empty(), faults.c_str());
    }

    void everyKindHasAPrice() {
        for (const PartRow<Planner>& row : planners().rows())
            QVERIFY2(row.part != nullptr, kindName(row.kind).data());
    }

    void theWalkNoticesWhatIsMissing() {
        const auto rows = planners().rows();
        std::vector<PartRow<Planner>> fewer(rows.begin() + 1, rows.end());
        QVERIFY(faultsOf<Planner>("price", fewer).find(kindName(rows[0].kind)) != std::string::npos);
        fewer.push_back({rows[0].kind, nullptr, ""});
        QVERIFY(faultsOf<Planner>("price", fewer).find("either a part or the reason") != std::string::npos);
        fewer.back() = rows[0];
        fewer.push_back(rows[0]);
        QVERIFY(faultsOf<Planner>("price", fewer).find("has 2 rows") != std::string::npos);
    }

    void gatesOfRecurrentOperatorsAreFunctionsOfTheCatalogue() {
        std::set<std::string_view> names;
        for (const core::UnaryDefinition& row : core::unaryDefinitions()) {
            if (row.onnxGate.name.empty())
                continue;
            QVERIFY2(names.insert(row.onnxGate.name).second, row.name.data());
            QVERIFY2(core::unaryOfOnnxGate(row.onnxGate.name)->function == row.function, row.name.data());
            QVERIFY2(row.onnxGate.parameters > 0 || !row.needsParameters, row.name.data());
        }
        // The list of the ONNX operators RNN, GRU and LSTM, but for ScaledTanh, which is composed.
        const std::set<std::string_view> documented{
            "Affine",  "Elu",      "HardSigmoid", "LeakyRelu", "Relu",
            "Sigmoid", "Softplus", "Softsign",    "Tanh",      "ThresholdedRelu"};
        QVERIFY(names == documented);
        QVERIFY(core::unaryOfOnnxGate("") == nullptr);
        QVERIFY(core::unaryOfOnnxGate("Swish") == nullptr);
    }
};

REGISTER_TEST("operation_parts", OperationPartsTest)
#include "operation_parts_test.moc"
