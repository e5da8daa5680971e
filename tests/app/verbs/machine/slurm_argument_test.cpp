#include "app/verbs/machine/slurm_argument.h"

#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include "core/base/file.h"

#include <QtTest/QTest>
#include <filesystem>

using tests::Answer;
using tests::Workbench;

namespace {

const std::string eightPoints = R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
 "grid": {"pipeline.schedule": ["Grouped", "Interleaved"],
          "pipeline.gradient_accumulation_steps_per_replica": [4, 8, 16, 3]}})";

/// A folder with a sweep, and commands of Slurm of which this test says what they do; no other command is on
/// the PATH of the program.
class Cluster {
public:
    Cluster() {
        bench.writeProject("p.ipuproj");
        bench.write("s.json", eightPoints);
        std::filesystem::create_directory(bench.path("bin"));
        m_path = qgetenv("PATH");
        qputenv("PATH", QByteArray::fromStdString(bench.path("bin").string()));
    }
    ~Cluster() { qputenv("PATH", m_path); }
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    /// `text`: what /bin/sh does when `name` is called.
    void command(const std::string& name, const std::string& text) const {
        const std::string file = "bin/" + name;
        bench.write(file.c_str(), "#!/bin/sh\n" + text + "\n");
        std::filesystem::permissions(bench.path(file.c_str()), std::filesystem::perms::owner_all);
    }
    /// What it does as the shell of a node runs it.
    [[nodiscard]] Answer asNode(const QString& line) const {
        const QByteArray ours = qgetenv("PATH");
        qputenv("PATH", m_path);
        Answer answer = bench.runLine("--version >&2; " + line);
        qputenv("PATH", ours);
        return answer;
    }
    /// The file of the sweep's parts that ends so: its name has the hash of the sweep before that.
    [[nodiscard]] QString part(const QString& ending) const {
        for (const auto& entry : std::filesystem::directory_iterator(bench.path(".")))
            if (const auto name = QString::fromStdString(entry.path().filename().string());
                name.endsWith(ending))
                return name;
        return {};
    }
    [[nodiscard]] QByteArray text(const QString& name) const { return text(qPrintable(name)); }
    [[nodiscard]] QByteArray text(const char* name) const {
        return QByteArray::fromStdString(core::readFile(bench.path(name)).value_or(""));
    }

    Workbench bench;

private:
    QByteArray m_path;
};

/// An `sbatch` that writes down what it is asked and counts its jobs from 12.
const std::string bookkeeper =
    "echo \"$@\" >> asked.txt; /bin/cat asked.txt | { n=11; while read l; do n=$((n + 1)); done; echo $n; }";

core::Json pointsOf(const Cluster& cluster, const QString& database) {
    return cluster.bench
        .run({"sql", "SELECT point, state, point_values, step_cycles, finding FROM v_sweep_point",
              "--database", database, "--json"})
        .json()["rows"];
}

} // namespace

/// `sweep --slurm` without a cluster: tests/tools/slurm_sweep.sh has a real one.
class SlurmArgumentTest : public QObject {
    Q_OBJECT

private slots:
    void aDryRunPrintsTheScriptAndWritesNothing() {
        const Cluster cluster;
        const Answer answer =
            cluster.bench.run({"sweep", "s.json", "--slurm", "--array", "2", "--time", "2:00:00",
                               "--partition", "long", "--jobs", "4", "--dry-run"});
        QVERIFY2(answer.code == 0, answer.err);
        for (const char* line :
             {"#SBATCH --requeue\n", "#SBATCH --time=2:00:00\n", "#SBATCH --partition=long\n",
              "#SBATCH --cpus-per-task=4\n", "--resume --jobs 4", "count=2\n"})
            QVERIFY2(answer.out.contains(line), line);
        QVERIFY(cluster.part(".shards-of-2.sh").isEmpty());
        QVERIFY(!std::filesystem::exists(cluster.bench.path("p.profiles.sqlite")));
    }

    void theScriptReplacesNothingButAScript() {
        const Cluster cluster;
        cluster.command("sbatch", bookkeeper);
        const QStringList verb{"sweep", "s.json", "--slurm", "--array", "2", "--force"};
        QCOMPARE(cluster.bench.run(verb).code, 0);
        const std::filesystem::path script = cluster.bench.path(qPrintable(cluster.part(".shards-of-2.sh")));
        QCOMPARE(cluster.bench.run(verb).code, 0);
        std::filesystem::remove(script);
        cluster.bench.write("mine.txt", "mine");
        std::filesystem::copy_file(cluster.bench.path("mine.txt"), script);
        const Answer over = cluster.bench.run(verb);
        QVERIFY2(over.code == 4 && over.err.contains("[file/exists]"), over.err);
        std::filesystem::remove(script);
        std::filesystem::create_symlink("mine.txt", script);
        QCOMPARE(cluster.bench.run(verb).code, 4);
        QCOMPARE(cluster.text("mine.txt"), QByteArray("mine"));
    }

    void anArrayIsSubmittedAndAMergeThatWaitsForIt() {
        const Cluster cluster;
        cluster.command("sbatch", bookkeeper);
        const Answer answer = cluster.bench.run({"sweep", "s.json", "--slurm", "--array", "2", "--json"});
        QVERIFY2(answer.code == 0, answer.err);
        const core::Json jobs = answer.json()["jobs"];
        QCOMPARE(jobs[0]["job"].get<std::string>(), std::string("12"));
        QCOMPARE(jobs[0]["tasks"].get<int>(), 2);
        QCOMPARE(jobs[1]["job"].get<std::string>(), std::string("13"));
        const QList<QByteArray> asked = cluster.text("asked.txt").split('\n');
        QVERIFY2(asked[0].startsWith("--parsable --array=1-2 "), asked[0]);
        QVERIFY2(asked[1].contains("--dependency=afterany:12 ") && asked[1].endsWith(" merge"), asked[1]);
        QVERIFY(cluster.text(cluster.part(".shards-of-2.sh")).startsWith("#!/bin/sh\n"));
    }

    void theScriptDoesOnANodeWhatASweepDoesHere() {
        const Cluster cluster;
        cluster.command("sbatch", bookkeeper);
        QCOMPARE(cluster.bench.run({"sweep", "s.json", "--slurm", "--array", "2"}).code, 0);
        QCOMPARE(cluster.asNode("SLURM_ARRAY_TASK_ID=1 sh ./" + cluster.part(".shards-of-2.sh")).code, 0);
        const core::Json half = cluster.bench.run({"sweep", "s.json", "--status", "--json"}).json();
        QCOMPARE(half["done"].get<int>(), 4);
        QCOMPARE(half["open"].get<int>(), 4);
        QCOMPARE(half["shards"][0]["state"].get<std::string>(), std::string("complete"));
        QCOMPARE(half["shards"][1]["state"].get<std::string>(), std::string("empty"));
        QCOMPARE(cluster.asNode("SLURM_ARRAY_TASK_ID=2 sh ./" + cluster.part(".shards-of-2.sh")).code, 0);
        QCOMPARE(cluster.asNode("sh ./" + cluster.part(".shards-of-2.sh") + " merge").code, 0);
        QCOMPARE(cluster.bench.run({"sweep", "s.json", "--database", "alone.sqlite"}).code, 0);
        QCOMPARE(pointsOf(cluster, "p.profiles.sqlite"), pointsOf(cluster, "alone.sqlite"));
        // Readers of other machines cannot share the memory that a write-ahead log needs.
        QVERIFY(cluster.part(".shard-1-of-2.sqlite-wal").isEmpty());
        QCOMPARE(cluster.text(cluster.part(".shard-1-of-2.sqlite")).mid(18, 2), QByteArray("\1\1"));
        QCOMPARE(cluster.text("alone.sqlite").mid(18, 2), QByteArray("\2\2"));
    }

    void whatIsStoredIsGoneOnWithOrGivenUpButNeverSilently() {
        const Cluster cluster;
        cluster.command("sbatch", bookkeeper);
        QCOMPARE(cluster.bench.run({"sweep", "s.json", "--slurm", "--array", "2"}).code, 0);
        QCOMPARE(cluster.asNode("SLURM_ARRAY_TASK_ID=1 sh ./" + cluster.part(".shards-of-2.sh")).code, 0);
        const Answer refused = cluster.bench.run({"sweep", "s.json", "--slurm", "--array", "2"});
        QCOMPARE(refused.code, 4);
        QVERIFY2(refused.err.contains("holds 4 points") && refused.err.contains("--resume"), refused.err);
        QCOMPARE(cluster.bench.run({"sweep", "s.json", "--slurm", "--array", "2", "--resume"}).code, 0);
        QCOMPARE(cluster.bench.run({"sweep", "s.json", "--status", "--json"}).json()["done"].get<int>(), 4);
        const Answer anew = cluster.bench.run({"sweep", "s.json", "--slurm", "--array", "2", "--force"});
        QCOMPARE(anew.code, 0);
        QVERIFY2(anew.err.contains("4 points of this sweep that were stored are given up"), anew.err);
        QCOMPARE(cluster.bench.run({"sweep", "s.json", "--status", "--json"}).json()["done"].get<int>(), 0);
    }

    void twoSweepsOfOneProjectShareNoPart() {
        const Cluster cluster;
        cluster.command("sbatch", bookkeeper);
        cluster.bench.write("t.json", R"({"format": "ipu-workbench-sweep", "version": 1,
            "project": "p.ipuproj", "grid": {"training.batch_size": [1, 2]}})");
        QStringList scripts;
        for (const char* file : {"s.json", "t.json"})
            scripts << QString::fromStdString(
                cluster.bench.run({"sweep", file, "--slurm", "--array", "2", "--json"})
                    .json()["script"]
                    .get<std::string>());
        QVERIFY(scripts[0] != scripts[1]);
        for (const QString& script : scripts)
            QCOMPARE(cluster.asNode("SLURM_ARRAY_TASK_ID=1 sh " + script).code, 0);
        const std::pair<const char*, int> done[]{{"s.json", 4}, {"t.json", 1}};
        for (const auto& [file, points] : done) {
            const core::Json status = cluster.bench.run({"sweep", file, "--status", "--json"}).json();
            QCOMPARE(status["done"].get<int>(), points);
            QCOMPARE(status["shards"].size(), std::size_t(2));
        }
        for (const QString& script : scripts) {
            QCOMPARE(cluster.asNode("SLURM_ARRAY_TASK_ID=2 sh " + script).code, 0);
            QCOMPARE(cluster.asNode("sh " + script + " merge").code, 0);
        }
        QCOMPARE(pointsOf(cluster, "p.profiles.sqlite").size(), std::size_t(10));
    }

    void theStateOfTasksIsSlurmsOwnWord() {
        const Cluster cluster;
        cluster.command("sbatch", bookkeeper);
        const core::Json job =
            cluster.bench.run({"sweep", "s.json", "--slurm", "--array", "3", "--json"}).json();
        const std::string name = job["job_name"].get<std::string>();
        cluster.command("squeue", "echo '" + name + "|12_1|RUNNING'; echo '" + name + "-merge|13|PENDING'");
        cluster.command("sacct", "echo '" + name + "|12_2|CANCELLED by 0'; echo '" + name + "|9_1|FAILED'");
        const core::Json status = cluster.bench.run({"sweep", "s.json", "--status", "--json"}).json();
        const std::vector<std::string> expected{"running", "cancelled", "empty"};
        for (std::size_t i = 0; i < expected.size(); ++i)
            QCOMPARE(status["shards"][i]["state"].get<std::string>(), expected[i]);
        QCOMPARE(status["shards"][0]["job"].get<std::string>(), std::string("12_1"));
        QCOMPARE(status["merges"][0]["state"].get<std::string>(), std::string("pending"));
        const Answer twice = cluster.bench.run({"sweep", "s.json", "--slurm", "--array", "3", "--json"});
        QCOMPARE(twice.code, 4);
        QCOMPARE(twice.codes(), QString("slurm/running"));
    }

    void whatCannotBeSubmittedSaysWhy() {
        const Cluster cluster;
        const Answer missing = cluster.bench.run({"sweep", "s.json", "--slurm", "--json"});
        QCOMPARE(missing.code, 4);
        QCOMPARE(missing.codes(), QString("slurm/missing"));
        QVERIFY(missing.err.contains("hint:"));
        cluster.command("sbatch", "echo 'invalid partition specified' >&2; exit 1");
        const Answer refused = cluster.bench.run({"sweep", "s.json", "--slurm", "--partition", "none"});
        QCOMPARE(refused.code, 4);
        QVERIFY2(refused.err.contains("invalid partition specified"), refused.err);
        QCOMPARE(cluster.bench.run({"sweep", "s.json", "--array", "4"}).code, 2);
        QCOMPARE(cluster.bench.run({"sweep", "s.json", "--slurm", "--shard", "1/2"}).code, 2);
        QCOMPARE(cluster.bench.run({"sweep", "s.json", "--slurm", "--time", "1\n#SBATCH --uid=0"}).code, 2);
        QCOMPARE(cluster.bench.runLine("sweep - --slurm --database d.sqlite < s.json").code, 2);
    }
};

REGISTER_TEST("slurm_argument", SlurmArgumentTest)
#include "slurm_argument_test.moc"
