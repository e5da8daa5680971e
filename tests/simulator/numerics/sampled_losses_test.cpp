#include "core/model/graph/layer_catalogue.h"
#include "simulator/compiler/lowering/ipu_operations.h"
#include "simulator/graph/rules/differentiate.h"
#include "tests/support/numerics/random_operands.h"
#include "tests/support/test_registry.h"
#include "tests/tools/oracle/graph_run.h"

#include <QtTest/QTest>
#include <cmath>

using namespace simulator;

namespace {

using AddLoss = core::TensorId (*)(GraphBuilder&, const SampledClasses&, core::TensorId, core::TensorId,
                                   core::TensorId, core::TensorId);

constexpr std::int64_t samples = 3;
constexpr std::int64_t width = 4;
constexpr SampledClasses sampling{20, 6, 2, 5, 1};

oracles::Values valuesOf(Extents extents, std::vector<float> data) {
    oracles::Values result;
    result.form.extents = std::move(extents);
    result.data = std::move(data);
    return result;
}

/// A sampled loss of fixed operands, its sum and the gradients of its floating operands.
class SampledLoss {
public:
    explicit SampledLoss(AddLoss add) {
        tests::RandomOperands random(4, 0);
        GraphBuilder& build = m_graph.build();
        build.setScope({"loss", {}, Phase::Forward});
        m_operands = {random.between(samples * width, -1, 1), random.between(sampling.classes * width, -1, 1),
                      random.between(sampling.classes, -1, 1)};
        m_ids = {m_graph.feed("inputs", valuesOf({samples, width}, m_operands[0])),
                 m_graph.feed("weights", valuesOf({sampling.classes, width}, m_operands[1])),
                 m_graph.feed("biases", valuesOf({sampling.classes}, m_operands[2]))};
        oracles::Values labels = valuesOf({samples, 2}, {0, 3, 1, 2, 7, 0});
        labels.form.type = core::DataType::Int32;
        m_loss = add(build, sampling, m_ids[0], m_graph.feed("labels", labels), m_ids[1], m_ids[2]);
        const GradientSeed seed{m_loss, build.constant(1, {samples}, core::DataType::Float32)};
        const auto gradients = *differentiate(build, std::span(&seed, 1), m_ids);
        std::vector<core::TensorId> kept{m_loss};
        for (const core::TensorId id : m_ids) {
            m_gradients.push_back(sumOfParts(build, gradients, id));
            kept.push_back(m_gradients.back());
        }
        m_isRun = m_graph.run(kept).has_value();
        for (const core::TensorId id : m_gradients)
            m_answers.push_back(m_graph.read(id));
    }

    [[nodiscard]] bool isRun() const { return m_isRun; }
    [[nodiscard]] std::vector<float> losses() const { return m_graph.read(m_loss); }
    [[nodiscard]] const std::vector<float>& operand(std::size_t index) const { return m_operands[index]; }
    [[nodiscard]] float gradient(std::size_t index, std::size_t at) const { return m_answers[index][at]; }

    double sumWith(std::size_t index, std::size_t at, float by) {
        std::vector<float> moved = m_operands[index];
        moved[at] += by;
        m_graph.write(m_ids[index], moved);
        m_graph.rerun();
        double sum = 0;
        for (const float loss : losses())
            sum += static_cast<double>(loss);
        m_graph.write(m_ids[index], m_operands[index]);
        return sum;
    }

private:
    oracles::GraphRun m_graph;
    std::vector<std::vector<float>> m_operands;
    std::vector<core::TensorId> m_ids;
    core::TensorId m_loss;
    std::vector<core::TensorId> m_gradients;
    std::vector<std::vector<float>> m_answers;
    bool m_isRun = false;
};

} // namespace

class SampledLossesTest : public QObject {
    Q_OBJECT

private slots:
    void gradientsAgreeWithDifferences_data() {
        QTest::addColumn<AddLoss>("add");
        QTest::newRow("nce") << AddLoss(addNceLoss);
        QTest::newRow("sampled softmax") << AddLoss(addSampledSoftmaxLoss);
    }
    void gradientsAgreeWithDifferences() {
        QFETCH(AddLoss, add);
        SampledLoss loss(add);
        QVERIFY(loss.isRun());
        for (const float value : loss.losses())
            QVERIFY(std::isfinite(value) && value > 0);
        constexpr float step = 0.01F;
        for (std::size_t index = 0; index < 3; ++index) {
            for (std::size_t at = 0; at < loss.operand(index).size(); ++at) {
                const double expected =
                    (loss.sumWith(index, at, step) - loss.sumWith(index, at, -step)) / (2.0 * step);
                QVERIFY2(std::abs(expected - static_cast<double>(loss.gradient(index, at))) < 4e-3,
                         qPrintable(QString("operand %1 [%2]: %3, expected %4")
                                        .arg(index)
                                        .arg(at)
                                        .arg(loss.gradient(index, at))
                                        .arg(expected)));
            }
        }
    }

    void theDrawDependsOnTheSeedAlone() {
        QCOMPARE(SampledLoss(addNceLoss).losses(), SampledLoss(addNceLoss).losses());
    }

    void everyLayerOfTheIpuIsComputed() {
        for (const core::LayerDefinition& definition : core::layerCatalogue()) {
            if (definition.category == core::LayerCategory::Ipu)
                QVERIFY2(hasLowering(definition.className, core::Json::object()),
                         definition.className.c_str());
        }
    }
};

REGISTER_TEST("sampled_losses", SampledLossesTest)
#include "sampled_losses_test.moc"
