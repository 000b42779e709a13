@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// What people have shown of processes on their systems, and what it is worth. Each sample names where it was
/// published. For the stacks of AppArmor, the sources describe the form, and the names are chosen here; where a
/// source shows the path of a control group, the sample has the line for it.
struct RecordedEvidenceTests {
  struct Sample: Sendable, CustomStringConvertible {
    let system: String
    /// A repository and the number of an issue or pull request, or an address.
    let source: String
    var label: String?
    var controlGroups: String?
    /// The evidence that it gives, or nil for none.
    let evidence: String?
    var description: String { "\(system), \(source)" }
  }

  private static let container = "b33dda97580e721a69fa81742190341f858ea809ec4a9d74a8cfd411b0ee7c26"
  private static let podman =
    "libpod-5e22f237b52c26e8845f98ae4e6bf8cdb8fe220ff9d2a904be308d311b4a043a.scope/container"
  private static let redHat =
    "docs.redhat.com, Security-Enhanced Linux, 3.2 SELinux Contexts for Processes"

  static let samples = [
    // SELinux: a program with a domain of its own, and daemons that run what users choose.
    Sample(
      system: "SELinux, passwd", source: redHat,
      label: "unconfined_u:unconfined_r:passwd_t:s0-s0:c0.c1023",
      evidence: "unconfined_u:unconfined_r:passwd_t:s0-s0:c0.c1023"),
    Sample(
      system: "SELinux, sshd", source: redHat, label: "system_u:system_r:sshd_t:s0-s0:c0.c1023",
      evidence: nil),
    Sample(
      system: "SELinux, crond and atd", source: redHat,
      label: "system_u:system_r:crond_t:s0-s0:c0.c1023", evidence: nil),
    // AppArmor: stacks of a container with a namespace, and of a confined runtime with a container's profile.
    Sample(
      system: "LXC, AppArmor namespace", source: "lxc/lxc#1682",
      label: "lxc-container-default-cgns//&:guest://unconfined (enforce)", evidence: nil),
    Sample(
      system: "crun, AppArmor stack", source: "containers/crun#1385",
      label: "crun//&containers-default-0.57.4 (enforce)", evidence: nil),
    Sample(
      system: "AppArmor, unprivileged change_profile",
      source: "AppArmor's wiki, unprivileged_unconfined_restriction",
      label: "firefox//&unconfined (enforce)", evidence: nil),
    // cron and at
    Sample(
      system: "cron of SUSE", source: "cronie-crond/cronie#35",
      controlGroups: "0::/system.slice/cron.service\n", evidence: nil),
    Sample(
      system: "atd in a container", source: "lxc/lxc#3520",
      controlGroups: "0::/system.slice/atd.service\n", evidence: nil),
    // docker
    Sample(
      system: "docker, groups of version 1", source: "containerd/containerd#285",
      controlGroups: """
        11:perf_event:/system.slice/docker-\(container).scope
        9:pids:/init.scope/system.slice/docker-\(container).scope
        1:name=systemd:/system.slice/docker-\(container).scope

        """, evidence: nil),
    Sample(
      system: "docker, both versions", source: "ctrsploit/ctrsploit#280",
      controlGroups: """
        12:net_cls,net_prio:/docker/2403ccfe427f1dc7b6120dccb9ac58c2f8456950380d587a9f33ea7f00dd303d
        1:name=systemd:/docker/2403ccfe427f1dc7b6120dccb9ac58c2f8456950380d587a9f33ea7f00dd303d
        0::/system.slice/containerd.service

        """, evidence: nil),
    Sample(
      system: "docker, slice of its own", source: "moby/moby#42704",
      controlGroups:
        "0::/my-example-cgroup.slice/docker-f903f3cc12f1d6c801d64c8ae04638faeb899c438d6f5d65f3352810d0181007"
        + ".scope\n", evidence: nil),
    Sample(
      system: "docker's shim of CentOS 7", source: "liske/needrestart#165",
      controlGroups: """
        11:perf_event:/
        10:devices:/system.slice/docker.service
        1:name=systemd:/system.slice/docker.service

        """, evidence: nil),
    // podman of a user
    Sample(
      system: "podman of a user", source: "containers/podman#9219",
      controlGroups: "0::/user.slice/user-1000.slice/user@1000.service/user.slice/\(podman)\n",
      evidence: nil),
    Sample(
      system: "podman unshare", source: "containers/crun#376",
      controlGroups:
        "0::/user.slice/user-1000.slice/user@1000.service/user.slice/podman-6696.scope\n",
      evidence: nil),
    // LXC
    Sample(
      system: "LXC 4.0, lxc-attach", source: "lxc/lxc#3373",
      controlGroups: "13:rdma:/\n12:pids:/\n1:cpuset:/\n0::/.lxc\n", evidence: nil),
    // A desktop: a terminal, and a browser that the portal started.
    Sample(
      system: "terminal of GNOME", source: "containers/podman#20910",
      controlGroups:
        "0::/user.slice/user-10000.slice/user@10000.service/app.slice/app-org.gnome.Terminal.slice/"
        + "vte-spawn-f22f14d2-3d44-4304-9879-3fdd0df7b08e.scope\n", evidence: nil),
    Sample(
      system: "Firefox under the portal", source: "flatpak/xdg-desktop-portal-gtk#497",
      controlGroups:
        "0::/user.slice/user-1000.slice/user@1000.service/session.slice/xdg-desktop-portal.service\n",
      evidence: nil),
    // Control: a service of the system's manager, as the same kind of text shows it.
    Sample(
      system: "PostgreSQL's exporter", source: "control",
      controlGroups: "0::/system.slice/prometheus-postgres-exporter.service\n",
      evidence: "prometheus-postgres-exporter.service"),
  ]

  @Test(arguments: samples) func samplesGiveTheirEvidence(_ sample: Sample) {
    if let label = sample.label {
      // The kernel ends a label with a newline or a zero byte, which are removed before.
      #expect(SecurityLabel.evidence(Array(label.utf8), common: []) == sample.evidence)
    }
    if let groups = sample.controlGroups {
      let unit = SystemUnit(controlGroups: groups)
      #expect((unit?.runsProgramsOfUsers == false ? unit?.name : nil) == sample.evidence)
    }
  }

  /// The file of a Flatpak, with the sections that `man flatpak-metadata` describes.
  @Test func theApplicationOfAFlatpak() {
    let text = """
      [Application]
      name=org.gnome.Calendar
      runtime=runtime/org.gnome.Platform/x86_64/46

      [Instance]
      instance-id=3201
      name=org.evil.App
      flatpak-version=1.14.4

      """
    #expect(FlatpakInfo.application(in: text) == "org.gnome.Calendar")
    // A runtime without an application, as `flatpak run` of a runtime has it.
    let runtime = "[Runtime]\nruntime=runtime/org.gnome.Sdk/x86_64/46\nname=org.evil.App\n"
    #expect(FlatpakInfo.application(in: runtime) == nil)
  }
}
