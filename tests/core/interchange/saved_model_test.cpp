#include "core/interchange/keras/saved_model.h"

#include "core/interchange/importer_catalogue.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

namespace {

/// A field of a protocol buffers message that holds bytes.
std::string field(int number, const std::string& content) {
    std::string bytes(1, static_cast<char>(number << 3 | 2));
    std::size_t size = content.size();
    for (; size >= 128; size >>= 7)
        bytes += static_cast<char>((size & 127) | 128);
    return bytes + static_cast<char>(size) + content;
}

std::string object(const std::string& path, const std::string& identifier, const std::string& metadata) {
    const std::string nodeId{'\x10', '\x01'};
    return field(1, nodeId + field(3, path) + field(4, identifier) + field(5, metadata));
}

const std::string layer = object("root.layer_with_weights-0", "_tf_keras_layer", R"({"name": "hidden"})");

std::string root(const std::string& metadata) {
    return object("root", "_tf_keras_sequential", metadata);
}

const std::string sequential = R"({"name": "digits", "class_name": "Sequential", "shared_object_id": 0,
    "config": {"name": "digits", "layers": [
        {"class_name": "InputLayer", "config": {"name": "image", "batch_input_shape": [null, 784], "dtype": "float32"}},
        {"class_name": "Dense", "config": {"name": "hidden", "units": 16, "activation": "relu"}},
        {"class_name": "Dense", "config": {"name": "logits", "units": 10}}]}})";

core::Diagnostic refusalOf(const std::string& bytes) {
    const auto project = core::importProject(bytes, "model/keras_metadata.pb");
    return project || project.error().empty() ? core::Diagnostic{} : project.error().front();
}

} // namespace

class SavedModelTest : public QObject {
    Q_OBJECT

private slots:
    void theRootObjectIsTheModel() {
        const auto project = core::importProject(layer + root(sequential), "model/keras_metadata.pb");
        QVERIFY2(project.has_value(), project ? "" : core::toText(project.error().front()).c_str());
        QCOMPARE(project->project.name, std::string("digits"));
        const core::ModelGraph& model = project->project.model;
        QCOMPARE(model.layers.size(), std::size_t(3));
        QVERIFY(project->warnings.empty());
    }

    void codeIsRefusedWithItsPlace() {
        const core::Diagnostic refusal = refusalOf(layer + root(R"({"name": "m", "class_name": "MyModel"})"));
        QCOMPARE(refusal.code, std::string("saved-model/no-model"));
        QVERIFY(refusal.location.place.starts_with("byte "));
        QVERIFY(!refusal.hints.empty());
        QCOMPARE(refusalOf(layer).code, std::string("saved-model/no-model"));
    }

    /// Each prefix is refused in one way or another; none is read past its end.
    void cutFilesAreRefused() {
        const std::string whole = layer + root(sequential);
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const core::Diagnostic refusal = refusalOf(whole.substr(0, size));
            QVERIFY2(!refusal.code.empty() && !refusal.hints.empty(), std::to_string(size).c_str());
        }
    }
};

REGISTER_TEST("saved_model", SavedModelTest)
#include "saved_model_test.moc"
