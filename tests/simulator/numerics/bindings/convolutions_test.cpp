#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/model_builder.h"
#include "simulator/compiler/staging/build_training_graph.h"
#include "tests/support/numerics/random_operands.h"
#include "tests/support/test_registry.h"
#include "tests/tools/oracle/graph_session.h"

#include <QtTest/QTest>
#include <cmath>
#include <cstring>

using namespace simulator;

namespace {

struct Case {
    std::int64_t samples, rows, columns, inChannels, outChannels, kernel, stride;
    const char* padding;
    const char* activation = "linear";
};

/// One convolution of random operands.
class Convolved {
public:
    explicit Convolved(const Case& wanted, unsigned threads = 1)
        : m_case(wanted)
        , m_pool(threads) {
        const core::ModelGraph model =
            core::sequentialModel("net", {wanted.rows, wanted.columns, wanted.inChannels},
                                  {{"Conv2D",
                                    "conv",
                                    {{"filters", wanted.outChannels},
                                     {"kernel_size", {wanted.kernel, wanted.kernel}},
                                     {"strides", {wanted.stride, wanted.stride}},
                                     {"padding", wanted.padding},
                                     {"activation", wanted.activation}}}});
        core::InferenceOptions inference;
        inference.batchSize = wanted.samples;
        inference.requiresKnownShapes = true;
        TrainingGraphOptions options;
        options.mode = core::RunMode::Predict;
        m_graph = std::make_shared<TrainingGraph>(
            *buildTrainingGraph(*core::inferShapes(model, inference), options));
        GraphSession session = *GraphSession::make(m_graph);
        m_pool.reserveScratch(session.threadScratch());
        tests::RandomOperands random(5, 0);
        for (const LayerWeight& weight : m_graph->weights) {
            const Tensor& tensor = m_graph->tensor(weight.tensor);
            std::vector<float>& values = tensor.extents.size() == 1 ? bias : kernel;
            values = random.between(tensor.elements(), -1, 1);
            session.store().write(weight.tensor, values);
        }
        // Last, so that the weights do not depend on the samples.
        x = random.between(m_graph->tensor(m_graph->inputs[0]).elements(), -1, 1);
        session.store().write(m_graph->inputs[0], x);
        session.runMicroBatch({}, m_pool);
        const Tensor& result = m_graph->tensor(m_graph->predictions[0]);
        extents = result.extents;
        y.resize(static_cast<std::size_t>(result.elements()));
        std::memcpy(y.data(), session.address(result.id), y.size() * sizeof(float));
    }

    /// By the definition, in double.
    [[nodiscard]] double expected(std::int64_t sample, std::int64_t row, std::int64_t column,
                                  std::int64_t channel) const {
        const auto before = [&](std::int64_t inputs, std::int64_t outputs) {
            const std::int64_t missing = (outputs - 1) * m_case.stride + m_case.kernel - inputs;
            return std::string_view(m_case.padding) == "same" ? std::max<std::int64_t>(0, missing) / 2 : 0;
        };
        const std::int64_t top = row * m_case.stride - before(m_case.rows, extents[1]);
        const std::int64_t left = column * m_case.stride - before(m_case.columns, extents[2]);
        double sum = bias[static_cast<std::size_t>(channel)];
        for (std::int64_t i = 0; i < m_case.kernel; ++i) {
            for (std::int64_t j = 0; j < m_case.kernel; ++j) {
                if (top + i < 0 || top + i >= m_case.rows || left + j < 0 || left + j >= m_case.columns)
                    continue;
                const float* pixel =
                    x.data() +
                    ((sample * m_case.rows + top + i) * m_case.columns + left + j) * m_case.inChannels;
                const float* weights = kernel.data() +
                                       (i * m_case.kernel + j) * m_case.inChannels * m_case.outChannels +
                                       channel;
                for (std::int64_t c = 0; c < m_case.inChannels; ++c)
                    sum += double(pixel[c]) * weights[c * m_case.outChannels];
            }
        }
        return std::string_view(m_case.activation) == "relu" ? std::max(0.0, sum) : sum;
    }

    std::vector<float> x;
    std::vector<float> kernel;
    std::vector<float> bias;
    std::vector<float> y;
    Extents extents;

private:
    Case m_case;
    ThreadPool m_pool;
    std::shared_ptr<const TrainingGraph> m_graph;
};

} // namespace

class ConvolutionsTest : public QObject {
    Q_OBJECT

private slots:
    void everyResultIsThatOfTheDefinition_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < cases.size(); ++i)
            QTest::newRow(cases[i].name) << int(i);
    }

    /// Few enough results of large ones are looked at, but of every channel and edge.
    void everyResultIsThatOfTheDefinition() {
        QFETCH(const int, index);
        const Case& wanted = cases[std::size_t(index)].wanted;
        const Convolved convolved(wanted);
        const Extents& extents = convolved.extents;
        const double sums = double(wanted.kernel * wanted.kernel * wanted.inChannels);
        std::size_t looked = 0;
        for (std::size_t i = 0; i < convolved.y.size(); ++i) {
            const auto place = std::int64_t(i);
            const std::int64_t channel = place % extents[3];
            const std::int64_t column = place / extents[3] % extents[2];
            const std::int64_t row = place / extents[3] / extents[2] % extents[1];
            const bool isEdge = row == 0 || column == 0 || row == extents[1] - 1 || column == extents[2] - 1;
            if (sums * double(convolved.y.size()) > 4e7 && (!isEdge || channel % 7 != column % 7))
                continue;
            ++looked;
            const double expected =
                convolved.expected(place / extents[3] / extents[2] / extents[1], row, column, channel);
            QVERIFY2(std::abs(convolved.y[i] - expected) <= 2e-6 * std::sqrt(sums) * 4,
                     qPrintable(QStringLiteral("%1 is %2 instead of %3")
                                    .arg(i)
                                    .arg(double(convolved.y[i]))
                                    .arg(expected)));
        }
        QVERIFY(looked > 100);
    }

    void threadsGiveTheSameBytes() {
        const Case wanted{3, 17, 12, 40, 70, 3, 1, "same", "relu"};
        QVERIFY(Convolved(wanted, 1).y == Convolved(wanted, 3).y);
    }

    /// How many samples run together says nothing about one of them.
    void aSampleHasTheSameBytesAmongOthers() {
        const Convolved few({2, 16, 16, 32, 32, 3, 1, "same"});
        const Convolved many({5, 16, 16, 32, 32, 3, 1, "same"});
        QVERIFY(few.kernel == many.kernel);
        QVERIFY(std::equal(few.y.begin(), few.y.end(), many.y.begin()));
    }

private:
    struct NamedCase {
        const char* name;
        Case wanted;
    };
    static constexpr std::array cases{
        NamedCase{"few channels", {2, 9, 8, 3, 5, 3, 1, "same"}},
        NamedCase{"tiles", {2, 16, 16, 32, 32, 3, 1, "same"}},
        NamedCase{"tiles without padding", {2, 19, 18, 32, 48, 3, 1, "valid"}},
        NamedCase{"tiles of odd fields and channels", {3, 15, 13, 37, 67, 3, 1, "same", "relu"}},
        NamedCase{"tiles of 112 channels", {4, 10, 10, 64, 112, 3, 1, "same"}},
        NamedCase{"tiles of many channels", {4, 8, 8, 200, 256, 3, 1, "same", "relu"}},
        NamedCase{"strides", {2, 16, 16, 32, 64, 3, 2, "same"}},
        NamedCase{"many inner elements, 112 columns", {1, 6, 6, 640, 112, 3, 1, "same"}},
        NamedCase{"many inner elements, 256 columns", {1, 6, 6, 640, 256, 3, 1, "same"}},
        NamedCase{"many taps, 256 columns", {1, 8, 8, 256, 256, 5, 1, "valid"}},
    };
};

REGISTER_TEST("convolutions", ConvolutionsTest)
#include "convolutions_test.moc"
