// What can be checked of docker/ without building an image. docker/smoke.sh does that.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "support/program.hpp"

namespace spineweave::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSubsetOf;
using testing::Not;

const std::string kDocker = SPINEWEAVE_SOURCE_DIR "/docker/";
constexpr const char* kWithoutGpu = "sed -e '/nvidia.com\\/gpu/d' -e 's/-cuda$//'";

std::set<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    found.insert(match->str());
  return found;
}

bool is_there(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

std::string output_of(const std::string& command) {
  const ScratchFolder folder;
  EXPECT_EQ(std::system(fmt::format("{} >'{}' 2>&1", command, folder.file("output")).c_str()), 0)
      << content_of(folder.file("output"));
  return content_of(folder.file("output"));
}

class Manifests : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_there("python3 -c 'import yaml'")) GTEST_SKIP() << "there is no python3 with yaml";
  }

  // The YAML documents that a command prints.
  static json documents(const std::string& command) {
    return json::parse(output_of(
        command + " | python3 -c 'import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(sys.stdin))))'"));
  }
  static json kubernetes(const std::string& reader = "cat") {
    json kinds;
    for (const json& document : documents(fmt::format("{} '{}kubernetes.yaml'", reader, kDocker)))
      kinds[document.at("kind")] = document;
    return kinds;
  }
  static json compose() { return documents("cat '" + kDocker + "compose.yaml'").at(0); }
};

const json& pod_of(const json& kinds) { return kinds.at("Deployment").at("spec").at("template").at("spec"); }

std::string image_tag() {
  const std::string version = output_of(SPINEWEAVE_PROGRAM " --version");  // "spineweave 0.1.0\n"
  return "spineweave:" + version.substr(version.find(' ') + 1, version.find('\n') - version.find(' ') - 1);
}

TEST_F(Manifests, ImagesCarryTheVersionOfTheProgram) {
  EXPECT_EQ(pod_of(kubernetes()).at("containers").at(0).at("image"), image_tag() + "-cuda");
  const json services = compose().at("services");
  EXPECT_EQ(services.at("spineweave").at("image"), image_tag() + "-cuda");
  EXPECT_EQ(services.at("spineweave-cpu").at("image"), image_tag());
}

TEST_F(Manifests, WhatTheKubernetesFileSaysAboutNoGpuLeavesAValidFileForTheCpu) {
  EXPECT_THAT(content_of(kDocker + "kubernetes.yaml"), HasSubstr(kWithoutGpu));
  const json pod = pod_of(kubernetes(kWithoutGpu));
  EXPECT_EQ(pod.at("containers").at(0).at("image"), image_tag());
  EXPECT_THAT(pod.dump(), Not(HasSubstr("nvidia")));
  EXPECT_TRUE(pod_of(kubernetes()).at("containers").at(0).at("resources").at("limits").contains("nvidia.com/gpu"));
}

TEST_F(Manifests, KubernetesProbesAndMonitorAskForPathsThatAreServed) {
  const json kinds = kubernetes();
  const json paths = json::parse(content_of(SPINEWEAVE_SOURCE_DIR "/src/service/openapi.json")).at("paths");
  const json container = pod_of(kinds).at("containers").at(0);
  for (const char* probe : {"startupProbe", "livenessProbe", "readinessProbe"})
    EXPECT_TRUE(paths.contains(container.at(probe).at("httpGet").at("path"))) << probe;
  EXPECT_TRUE(paths.contains(kinds.at("PodMonitor").at("spec").at("podMetricsEndpoints").at(0).at("path")));
}

TEST_F(Manifests, PartsOfTheKubernetesFileNameEachOther) {
  const json kinds = kubernetes();
  const json labels = {{"app.kubernetes.io/name", "spineweave"}};
  EXPECT_EQ(kinds.at("Deployment").at("spec").at("template").at("metadata").at("labels"), labels);
  EXPECT_EQ(kinds.at("Deployment").at("spec").at("selector").at("matchLabels"), labels);
  EXPECT_EQ(kinds.at("NetworkPolicy").at("spec").at("podSelector").at("matchLabels"), labels);
  EXPECT_EQ(kinds.at("PodMonitor").at("spec").at("selector").at("matchLabels"), labels);
  EXPECT_EQ(kinds.at("Service").at("spec").at("selector"), labels);
  EXPECT_EQ(pod_of(kinds).at("volumes").at(0).at("persistentVolumeClaim").at("claimName"),
            kinds.at("PersistentVolumeClaim").at("metadata").at("name"));
}

TEST_F(Manifests, StateAndPortAreThoseOfTheImage) {
  const std::string dockerfile = content_of(kDocker + "Dockerfile");
  const json container = pod_of(kubernetes()).at("containers").at(0);
  EXPECT_THAT(dockerfile,
              HasSubstr(fmt::format("SPINEWEAVE_STATE_DIR={}\n",
                                    container.at("volumeMounts").at(0).at("mountPath").get<std::string>())));
  const int port = container.at("ports").at(0).at("containerPort");
  EXPECT_THAT(dockerfile, HasSubstr(fmt::format("EXPOSE {}\n", port)));
  EXPECT_THAT(dockerfile, HasSubstr(fmt::format("SPINEWEAVE_LISTEN=0.0.0.0:{} ", port)));
  const json services = compose().at("services");
  for (const auto& [name, service] : services.items()) {
    EXPECT_EQ(service.at("ports"), json({fmt::format("127.0.0.1:{0}:{0}", port)})) << name;
    EXPECT_EQ(service.at("volumes"), json({"state:/var/lib/spineweave"})) << name;
  }
}

TEST_F(Manifests, ContainersRunWithoutPrivileges) {
  const json pod = pod_of(kubernetes());
  EXPECT_EQ(pod.at("securityContext").at("runAsNonRoot"), true);
  EXPECT_EQ(pod.at("containers").at(0).at("securityContext"), json({{"allowPrivilegeEscalation", false},
                                                                    {"readOnlyRootFilesystem", true},
                                                                    {"capabilities", {{"drop", {"ALL"}}}}}));
  const json services = compose().at("services");
  for (const auto& [name, service] : services.items()) {
    EXPECT_EQ(service.at("read_only"), true) << name;
    EXPECT_EQ(service.at("cap_drop"), json({"ALL"})) << name;
  }
}

TEST(Deployment, EveryVariableThatItSetsIsOneOfTheService) {
  if (!is_there(SPINEWEAVE_PROGRAM " serve --help")) GTEST_SKIP() << "the service is not built";
  const auto known = matches(output_of(SPINEWEAVE_PROGRAM " serve --help"), "SPINEWEAVE_[A-Z_]+");
  for (const char* file : {"Dockerfile", "compose.yaml", "kubernetes.yaml", "healthcheck.sh", "package/spineweave.env"})
    EXPECT_THAT(matches(content_of(kDocker + file), "SPINEWEAVE_[A-Z_]+"), IsSubsetOf(known)) << file;
}

TEST(Deployment, TheImageIsBuiltWithThePackagesOfSetupAlone) {
  const std::string dockerfile = content_of(kDocker + "Dockerfile");
  EXPECT_THAT(dockerfile, HasSubstr("RUN docker/setup.sh\n"));
  EXPECT_THAT(matches(dockerfile, "apt-get install[^\\\\]*[^\\\\ ]"),
              ElementsAre("apt-get install --yes --no-install-recommends /packages/spineweave.deb openssl"));
}

TEST(Deployment, TheDevelopmentPackageNeedsNothingThatSetupDoesNotInstall) {
  const auto installed = matches(content_of(kDocker + "setup.sh"), "[a-z0-9.+-]+");
  for (const std::string& line :
       matches(content_of(kDocker + "package/packages.cmake"), "_PACKAGE_(DEPENDS|RECOMMENDS)\\s+\"[^\"]*")) {
    const auto needed = matches(line, "[a-z][a-z0-9.+-]+");
    EXPECT_THAT(needed, Not(IsEmpty()));
    EXPECT_THAT(needed, IsSubsetOf(installed)) << line;
  }
}

TEST(Deployment, SystemdTakesTheUnitAndFindsItWellProtected) {
  if (!is_there("systemd-analyze --version")) GTEST_SKIP() << "there is no systemd-analyze";
  const ScratchFolder folder;
  const std::string unit = folder.file("spineweave.service");
  put(unit, std::regex_replace(content_of(kDocker + "package/spineweave.service"), std::regex("/usr/bin/spineweave"),
                               SPINEWEAVE_PROGRAM));
  EXPECT_THAT(output_of(fmt::format("systemd-analyze verify '{}'", unit)), IsEmpty());
  output_of(fmt::format("systemd-analyze security --offline=yes --threshold=25 '{}'", unit));
}

TEST(Deployment, ScriptsAreCleanToShellcheck) {
  if (!is_there("shellcheck --version")) GTEST_SKIP() << "there is no shellcheck";
  output_of(fmt::format("cd '{}' && shellcheck *.sh engines/*.sh package/postinst package/prerm", kDocker));
}

}  // namespace
}  // namespace spineweave::test
