#include "core/interchange/importer_catalogue.h"
#include "core/model/graph/model_summary.h"
#include "tests/support/test_registry.h"

#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

/// The folder of a program, with the files that it is made of.
class ProgramFolder {
public:
    void write(const std::string& name, const std::string& text) const {
        const std::filesystem::path path = root() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    [[nodiscard]] core::Result<core::ProjectFile> import(const std::string& program) const {
        write("main.py", program);
        return core::importProject(program, (root() / "main.py").string());
    }
    [[nodiscard]] std::filesystem::path root() const { return m_folder.path().toStdString(); }

private:
    QTemporaryDir m_folder;
};

/// What a .npy file begins with; its numbers are not there.
std::string npyHeader(const std::string& type, const std::string& shape) {
    const std::string header =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header;
}

/// An archive of members that are not packed.
std::string npzOf(const std::vector<std::pair<std::string, std::string>>& members) {
    const auto number = [](std::size_t value, int bytes) {
        std::string text;
        for (int i = 0; i < bytes; ++i)
            text.push_back(static_cast<char>(value >> (8 * i)));
        return text;
    };
    std::string archive;
    std::string directory;
    for (const auto& [name, content] : members) {
        const std::string facts = std::string(10, '\0') + number(content.size(), 4) +
                                  number(content.size(), 4) + number(name.size(), 2) + number(0, 2);
        directory +=
            "PK\x01\x02" + number(0, 6) + facts + std::string(10, '\0') + number(archive.size(), 4) + name;
        archive += "PK\x03\x04" + number(0, 4) + facts + name + content;
    }
    const std::size_t begin = archive.size();
    return archive + directory + "PK\x05\x06" + std::string(8, '\0') + number(directory.size(), 4) +
           number(begin, 4) + number(0, 2);
}

const std::string compiled = "net.compile('sgd', 'mse')\n";

} // namespace

/// Programs of several files.
class PythonModulesTest : public QObject {
    Q_OBJECT

private slots:
    void filesBesideTheProgramAreItsModules() {
        const ProgramFolder folder;
        folder.write("models/__init__.py", "from .blocks import Block, width\n");
        folder.write("models/blocks.py", "import tensorflow as tf\n"
                                         "from . import sizes\n"
                                         "from ..settings import Settings\n"
                                         "width = sizes.narrow * Settings().factor\n"
                                         "class Block(tf.keras.layers.Layer):\n"
                                         "    def __init__(self, units, **kwargs):\n"
                                         "        super().__init__(**kwargs)\n"
                                         "        self.dense = tf.keras.layers.Dense(units)\n"
                                         "    def call(self, x):\n"
                                         "        return self.dense(x)\n");
        folder.write("models/sizes.py", "narrow = 3\n");
        folder.write("settings.py", "from dataclasses import dataclass\n"
                                    "@dataclass\n"
                                    "class Settings:\n"
                                    "    factor: int = 2\n"
                                    "if __name__ == '__main__':\n"
                                    "    raise ValueError('this is not the program')\n");
        const auto file =
            folder.import("import tensorflow as tf\n"
                          "import models.sizes\n"
                          "import models as m\n"
                          "from settings import *\n"
                          "class Wide(m.blocks.Block):\n"
                          "    pass\n"
                          "x = tf.keras.Input((4,))\n"
                          "y = Wide(m.width)(m.Block(models.sizes.narrow)(x))\n"
                          "net = tf.keras.Model(x, tf.keras.layers.Dense(Settings(5).factor)(y))\n" +
                          compiled);
        QVERIFY2(file.has_value(), file ? "" : core::toText(file.error().front()).c_str());
        const auto summary = core::summarize(file->project.model, 1);
        QVERIFY(summary.has_value());
        QCOMPARE(summary->parameters, (4 + 1) * 3 + (3 + 1) * 6 + (6 + 1) * 5);
    }

    void whatIsWrongInAModuleIsSaidThere() {
        const ProgramFolder folder;
        folder.write("parts/layers.py", "import tensorflow as tf\n"
                                        "def block(x):\n"
                                        "    return tf.keras.layers.Dense(unknown)(x)\n");
        const auto file = folder.import("import tensorflow as tf\n"
                                        "from parts.layers import block\n"
                                        "x = tf.keras.Input((4,))\n"
                                        "net = tf.keras.Model(x, block(x))\n" +
                                        compiled);
        QVERIFY(!file.has_value());
        QCOMPARE(file.error().front().location.file, (folder.root() / "parts" / "layers.py").string());
        QCOMPARE(file.error().front().location.place, std::string("3:34"));
        folder.write("parts/layers.py", "def block(x:\n");
        const auto broken = folder.import("from parts.layers import block\n");
        QVERIFY(!broken.has_value());
        QCOMPARE(broken.error().front().code, std::string("python/syntax"));
        QCOMPARE(broken.error().front().location.file, (folder.root() / "parts" / "layers.py").string());
    }

    void decoratorsAreThoseOfTheFileThatNamesThem() {
        const ProgramFolder folder;
        folder.write("wraps.py", "class Adds:\n"
                                 "    def __init__(self, more):\n"
                                 "        self.more = more\n"
                                 "    def __call__(self, function):\n"
                                 "        return lambda *given: function(*given) + self.more\n"
                                 "def twice(function):\n"
                                 "    return lambda *given: 2 * function(*given)\n");
        folder.write("sizes.py", "from wraps import Adds, twice\n"
                                 "class Sizes:\n"
                                 "    @Adds(1)\n"
                                 "    @twice\n"
                                 "    def units(self):\n"
                                 "        return 4\n");
        const auto file = folder.import("import tensorflow as tf\n"
                                        "from sizes import Sizes\n"
                                        "units = Sizes().units()\n"
                                        "net = tf.keras.Sequential([tf.keras.layers.Dense(units, "
                                        "input_shape=(2,))])\n" +
                                        compiled);
        QVERIFY2(file.has_value(), file ? "" : core::toText(file.error().front()).c_str());
        constexpr int units = 2 * 4 + 1;
        QCOMPARE(file->project.model.layers.back().config.value("units", 0), units);
        for (const core::Diagnostic& warning : file->warnings)
            QVERIFY2(warning.code != "python/ignored", warning.message.c_str());
    }

    void aModuleLacksAName() {
        const ProgramFolder folder;
        folder.write("parts.py", "a = 1\n");
        const auto missing = folder.import("from parts import b\n");
        QVERIFY(!missing.has_value());
        QVERIFY(missing.error().front().message.find("\"b\"") != std::string::npos);
        const auto caught =
            folder.import("import tensorflow as tf\n"
                          "try:\n"
                          "    from parts import b\n"
                          "except ImportError:\n"
                          "    b = 3\n"
                          "net = tf.keras.Sequential([tf.keras.layers.Dense(b, input_shape=(2,))])\n" +
                          compiled);
        QVERIFY2(caught.has_value(), caught ? "" : core::toText(caught.error().front()).c_str());
    }

    void modulesThatImportOneAnotherEnd() {
        const ProgramFolder folder;
        folder.write("a.py", "import b\nunits = 3\n");
        folder.write("b.py", "import a\ndef twice():\n    return 2 * a.units\n");
        const auto file = folder.import(
            "import tensorflow as tf\n"
            "import a, b\n"
            "net = tf.keras.Sequential([tf.keras.layers.Dense(b.twice(), input_shape=(2,))])\n" +
            compiled);
        QVERIFY2(file.has_value(), file ? "" : core::toText(file.error().front()).c_str());
        QCOMPARE(file->project.model.layers.back().config["units"].get<int>(), 6);
    }

    void nothingOutsideOfTheFolderIsRead() {
        const ProgramFolder other;
        other.write("secret.py", "units = 3\n");
        const ProgramFolder folder;
        std::filesystem::create_symlink(other.root() / "secret.py", folder.root() / "linked.py");
        const std::string use =
            "import tensorflow as tf\n"
            "import linked\n"
            "net = tf.keras.Sequential([tf.keras.layers.Dense(linked.units, input_shape=(2,))])\n";
        const auto file = folder.import(use + compiled);
        QVERIFY(!file.has_value() || file->project.model.layers.back().config["units"] != 3);
        // A text that is no file has no folder.
        folder.write("plain.py", "units = 3\n");
        const auto text = core::importProject("from plain import units\n", "nowhere.py");
        QVERIFY(!text.has_value());
    }

    /// A program is configured by files beside it, as JSON and as YAML.
    void filesThatTheProgramLoadsAreRead_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("load");
        const QString asJson = R"({"units": [3, 5], "rate": 1e-2, "opt": {"name": "sgd"}, "bias": true})";
        const QString asYaml = "units: [3, 5] # of both layers\nrate: 0.01\nopt:\n  name: sgd\nbias: yes\n";
        QTest::newRow("json") << "net.json" << asJson
                              << "with open('settings/net.json') as f:\n    s = json.load(f)\n";
        QTest::newRow("json text") << "net.json" << asJson
                                   << "s = json.loads(Path('settings', 'net.json').read_text())\n";
        QTest::newRow("yaml") << "net.yaml" << asYaml
                              << "s = yaml.safe_load(open(os.path.join('settings', 'net.yaml')))\n";
        QTest::newRow("beside the program")
            << "net.yaml" << asYaml
            << "here = Path(__file__).resolve().parent\n"
               "with (here / 'settings' / 'net.yaml').open() as f:\n    s = yaml.safe_load(f)\n";
        QTest::newRow("by attributes")
            << "net.json" << asJson
            << "from types import SimpleNamespace\n"
               "n = json.load(open('settings/net.json'), object_hook=lambda d: SimpleNamespace(**d))\n"
               "s = {'units': n.units, 'rate': n.rate, 'opt': {'name': n.opt.name}, 'bias': n.bias}\n";
        QTest::newRow("where it exists") << "net.json" << asJson
                                         << "s = {}\n"
                                            "for name in ['settings/other.json', 'settings/net.json']:\n"
                                            "    if os.path.exists(name):\n"
                                            "        s = json.load(open(name))\n";
    }
    void filesThatTheProgramLoadsAreRead() {
        QFETCH(const QString, file);
        QFETCH(const QString, text);
        QFETCH(const QString, load);
        const ProgramFolder folder;
        folder.write("settings/" + file.toStdString(), text.toStdString());
        const auto made =
            folder.import("import json, os, yaml\nfrom pathlib import Path\nimport tensorflow as tf\n" +
                          load.toStdString() +
                          "net = tf.keras.Sequential()\n"
                          "net.add(tf.keras.Input((2,)))\n"
                          "for units in s['units']:\n"
                          "    net.add(tf.keras.layers.Dense(units, use_bias=s['bias']))\n"
                          "assert s['opt']['name'] == 'sgd'\n"
                          "net.compile(tf.keras.optimizers.SGD(s['rate']), 'mse')\n");
        QVERIFY2(made.has_value(), made ? "" : core::toText(made.error().front()).c_str());
        const core::Project& project = made->project;
        QCOMPARE(project.model.layers.size(), std::size_t{3});
        QCOMPARE(project.model.layers[1].config["units"].get<int>(), 3);
        QCOMPARE(project.model.layers[2].config["units"].get<int>(), 5);
        QVERIFY(!project.model.layers[2].config.contains("use_bias") ||
                project.model.layers[2].config["use_bias"].get<bool>());
        QCOMPARE(project.training.optimizer->config["learning_rate"].get<double>(), 0.01);
    }

    void aFileThatIsBrokenIsNamedWithItsPlace() {
        const ProgramFolder folder;
        folder.write("net.json", "{\"units\": 3,\n \"rate\" 4}");
        folder.write("net.yaml", "units: [3\nrate: 4\n");
        const std::array<std::pair<const char*, const char*>, 2> files{
            {{"json.load(open('net.json'))", "net.json: 2:"},
             {"yaml.safe_load(open('net.yaml'))", "net.yaml: 2:"}}};
        for (const auto& [load, place] : files) {
            const auto made =
                folder.import("import json, yaml\nimport tensorflow as tf\ns = " + std::string(load) +
                              "\nnet = tf.keras.Sequential([tf.keras.layers.Dense(s['units'], "
                              "input_shape=(2,))])\n" +
                              compiled);
            QVERIFY(!made.has_value());
            const core::Diagnostic& error = made.error().front();
            QVERIFY2(error.message.find(place) != std::string::npos, core::toText(error).c_str());
        }
    }

    void filesOfArraysSayTheirExtents() {
        const ProgramFolder folder;
        const std::string features = npyHeader("<f4", "(96, 7)");
        const std::string labels = npyHeader("<i8", "(96,)");
        folder.write("x.npy", features);
        folder.write("pairs.npz", npzOf({{"x.npy", features}, {"y.npy", labels}}));
        folder.write("cut.npz", npzOf({{"x.npy", features}}).substr(0, 90));
        folder.write("table.csv", "a,b,c\n# nothing\n1,2,3\n4,5,6\n\n7,8,9\n1,2,3\n");
        const auto file = folder.import("import numpy as np\nimport tensorflow as tf\n"
                                        "from pathlib import Path\n"
                                        "here = Path(__file__).parent\n"
                                        "with np.load(here / 'pairs.npz') as pairs:\n"
                                        "    x, y = pairs['x'], pairs['y']\n"
                                        "assert pairs.files == ['x', 'y']\n"
                                        "y = np.eye(5)[y[:80]]\n"
                                        "table = np.loadtxt('table.csv', delimiter=',', skiprows=1)\n"
                                        "units = np.load('x.npy').shape[1] + len(table) * table.shape[1]\n"
                                        "net = tf.keras.Sequential([tf.keras.layers.Dense(units)])\n" +
                                        compiled + "net.fit(x[:y.shape[0]], y, batch_size=8)\n");
        QVERIFY2(file.has_value(), file ? "" : core::toText(file.error().front()).c_str());
        QCOMPARE(file->project.training.stepsPerEpoch.value_or(0), 10);
        const auto summary = core::summarize(file->project.model, 1);
        QVERIFY(summary.has_value());
        QCOMPARE(summary->parameters, (7 + 1) * (7 + 4 * 3));
        for (const char* name : {"cut.npz", "table.csv", "none.npy", "/etc/passwd"}) {
            const auto made =
                folder.import("import numpy as np\nimport tensorflow as tf\n"
                              "net = tf.keras.Sequential([tf.keras.layers.Dense(np.load('" +
                              std::string(name) + "').shape[0], input_shape=(2,))])\n" + compiled);
            QVERIFY(!made.has_value());
        }
    }

    void noFileOutsideOfTheFolderIsRead() {
        const ProgramFolder other;
        other.write("net.json", "{\"units\": 3}");
        const ProgramFolder folder;
        std::filesystem::create_symlink(other.root() / "net.json", folder.root() / "linked.json");
        for (const std::string& name : {std::string("linked.json"), (other.root() / "net.json").string(),
                                        "../" + other.root().filename().string() + "/net.json"}) {
            const auto made = folder.import("import json\nimport tensorflow as tf\n"
                                            "with open('" +
                                            name +
                                            "') as f:\n    s = json.load(f)\n"
                                            "net = tf.keras.Sequential([tf.keras.layers.Dense(s['units'], "
                                            "input_shape=(2,))])\n" +
                                            compiled);
            QVERIFY(!made.has_value());
        }
    }

    void aFolderOfOtherThingsHidesNoLibrary() {
        const ProgramFolder folder;
        folder.write("keras/notes.txt", "pictures");
        const auto file = folder.import("import keras\n"
                                        "from keras.layers import Dense\n"
                                        "net = keras.Sequential([Dense(3, input_shape=(2,))])\n" +
                                        compiled);
        QVERIFY2(file.has_value(), file ? "" : core::toText(file.error().front()).c_str());
    }
};

REGISTER_TEST("python_modules", PythonModulesTest)
#include "python_modules_test.moc"
