@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// What labels and units of known systems are worth. The table in `docs/Agent.md` says the same.
struct EvidenceSampleTests {
  /// A label as the kernel gives it, and whether it is evidence.
  struct Label: Sendable, CustomStringConvertible {
    let text: String
    let counts: Bool
    init(_ text: String, _ counts: Bool) { (self.text, self.counts) = (text, counts) }
    var description: String { text }
  }

  static let labels = [
    // AppArmor: one profile for one program.
    Label("/usr/bin/evince (enforce)", true),
    Label("firefox (enforce)", true),
    Label("atrest//backup (enforce)", true),
    Label("snap.thunderbird.thunderbird (enforce)", true),
    Label("firefox//&site-audit (enforce)", true),
    // AppArmor: a stack that any program can enter, or that is a container's.
    Label("firefox//&unconfined (enforce)", false),
    Label("snap.lxd.daemon//&unconfined (enforce)", false),
    Label("crun//&containers-default-0.57.4 (enforce)", false),
    // AppArmor: nothing is confined.
    Label("unconfined", false),
    Label("firefox (unconfined)", false),
    Label("/usr/bin/man (complain)", false),
    Label("snap.code.code (complain)", false),
    // AppArmor: whatever runs in a container or a namespace.
    Label("docker-default (enforce)", false),
    Label("containers-default-0.50.1 (enforce)", false),
    Label("cri-containerd.apparmor.d (enforce)", false),
    Label("crio-default (enforce)", false),
    Label("lxc-container-default-cgns (enforce)", false),
    Label(
      "lxd-web_</var/snap/lxd/common/lxd>//&:lxd-web_<var-snap-lxd>:unconfined (enforce)", false),
    Label("unprivileged_userns (enforce)", false),
    Label("bwrap-userns-restrict (enforce)", false),
    // SELinux: Fedora and RHEL, logins.
    Label("unconfined_u:unconfined_r:unconfined_t:s0-s0:c0.c1023", false),
    Label("system_u:unconfined_r:unconfined_t:s0", false),
    Label("staff_u:staff_r:staff_t:s0-s0:c0.c1023", false),
    Label("user_u:user_r:user_t:s0", false),
    Label("guest_u:guest_r:guest_t:s0", false),
    // SELinux: cron, at, ssh, services without a domain, and containers.
    Label("system_u:system_r:crond_t:s0-s0:c0.c1023", false),
    Label("system_u:system_r:system_cronjob_t:s0", false),
    Label("system_u:system_r:sshd_t:s0-s0:c0.c1023", false),
    Label("system_u:system_r:unconfined_service_t:s0", false),
    Label("system_u:system_r:initrc_t:s0", false),
    Label("system_u:system_r:container_t:s0:c123,c456", false),
    Label("system_u:system_r:spc_t:s0", false),
    // SELinux: a domain of a program.
    Label("system_u:system_r:bacula_t:s0", true),
    Label("unconfined_u:unconfined_r:mozilla_t:s0", true),
    // Smack.
    Label("_", false), Label("User", false), Label("Mail", true),
    Label("", false),
  ]

  @Test(arguments: labels) func labelsCountIfTheyNameAProgram(_ label: Label) {
    let found = SecurityLabel.evidence(Array(label.text.utf8), common: [])
    #expect(found == (label.counts ? label.text : nil))
  }

  /// A profile confines a process also where its label is no evidence.
  @Test func confinedWithoutEvidence() {
    func confines(_ text: String, common: Set<String> = []) -> Bool {
      SecurityLabel.confines(Array(text.utf8), common: common)
    }
    #expect(confines("firefox//&unconfined (enforce)") && confines("docker-default (enforce)"))
    #expect(!confines("unconfined") && !confines("firefox (complain)") && !confines(""))
    #expect(!confines("system_u:system_r:sshd_t:s0"))
    // A profile that gives a right, and that everything started from there has.
    #expect(!confines("vscode (unconfined)") && !confines("vscode//&chrome (unconfined)"))
    // What is partly enforced, or cannot be understood, confines.
    #expect(confines("firefox//&helper (mixed)") && !confines("unconfined (mixed)"))
    #expect(confines("firefox (new-mode)") && confines("fire\nfox"))
    #expect(SecurityLabel.confines([0xFF, 0xFE], common: []))
    let container = "lxc-container-default-cgns (enforce)"
    #expect(confines(container) && !confines(container, common: [container]))
  }

  @Test func aLabelThatEveryoneHasIsNone() {
    let label = "site-login (enforce)"
    #expect(SecurityLabel.evidence(Array(label.utf8), common: []) == label)
    #expect(SecurityLabel.evidence(Array(label.utf8), common: [label]) == nil)
    #expect(SecurityLabel.evidence([0xFF, 0xFE], common: []) == nil)
    #expect(SecurityLabel.evidence(Array("a\nb (enforce)".utf8), common: []) == nil)
  }

  /// The text of `/proc/PID/cgroup`, and the unit that may be evidence.
  struct ControlGroup: Sendable, CustomStringConvertible {
    let text: String
    let unit: String?
    init(_ text: String, _ unit: String?) { (self.text, self.unit) = (text, unit) }
    var description: String { text }
  }

  static let controlGroups = [
    ControlGroup("0::/system.slice/backup.service\n", "backup.service"),
    ControlGroup("0::/system.slice/a.service/child\n", "a.service"),
    ControlGroup("0::/system.slice/system-worker.slice/worker@7.service\n", "worker@7.service"),
    // cron and at
    ControlGroup("0::/system.slice/cron.service\n", nil),
    ControlGroup("0::/system.slice/crond.service\n", nil),
    ControlGroup("0::/system.slice/atd.service\n", nil),
    // Logins
    ControlGroup("0::/system.slice/ssh.service\n", nil),
    ControlGroup("0::/system.slice/system-sshd.slice/sshd@3-10.0.0.1:22-10.0.0.2:5.service\n", nil),
    ControlGroup("0::/system.slice/system-getty.slice/getty@tty1.service\n", nil),
    ControlGroup("0::/system.slice/gdm.service\n", nil),
    ControlGroup("0::/user.slice/user-1000.slice/session-4.scope\n", nil),
    // The user's own manager
    ControlGroup(
      "0::/user.slice/user-1000.slice/user@1000.service/app.slice/backup.service\n", nil),
    ControlGroup("0::/system.slice/user@1.service/x.service\n", nil),
    ControlGroup(
      "0::/user.slice/user-1000.slice/user@1000.service/app.slice/"
        + "app-flatpak-org.gnome.Calendar-3201.scope\n", nil),
    ControlGroup(
      "0::/user.slice/user-1000.slice/user@1000.service/app.slice/"
        + "snap.firefox.firefox-1b2c.scope\n", nil),
    // Containers and transient units
    ControlGroup("0::/system.slice/docker-0f3a.scope\n", nil),
    ControlGroup("0::/system.slice/docker.service\n", nil),
    ControlGroup("0::/system.slice/containerd.service\n", nil),
    ControlGroup("0::/machine.slice/libpod-9f.scope/container\n", nil),
    ControlGroup("0::/system.slice/run-u123.service\n", nil),
    // Version 1 of control groups
    ControlGroup("1:name=systemd:/system.slice/a.service\n", nil),
    ControlGroup("", nil),
  ]

  @Test(arguments: controlGroups)
  func unitsCountIfTheyNameAProgram(_ group: ControlGroup) {
    let unit = SystemUnit(controlGroups: group.text)
    let counts = unit.map { !$0.runsProgramsOfUsers } ?? false
    #expect((counts ? unit?.name : nil) == group.unit)
  }

  /// A unit whose processes cannot be seen to belong to the user is no evidence.
  @Test func aUnitOfUnknownProcessesIsNone() throws {
    let unit = try #require(
      SystemUnit(controlGroups: "0::/system.slice/atrest-no-such-unit.service\n"))
    #expect(!unit.isEvidence(for: geteuid()))
  }

  @Test func theStatusOfAProcess() throws {
    let text =
      "4711 (a) b) S 4700 4711 4690 34817 4711 4194304 1 0 0 0 0 0 0 0 20 0 1 0 987654 1 1 1"
    let fields = try #require(TerminalSession.fields(text))
    #expect(fields.group == 4711 && fields.session == 4690 && fields.terminal == 34817)
    #expect(fields.foreground == 4711 && fields.start == 987_654)
    #expect(TerminalSession.fields("4711 (a") == nil)
    #expect(TerminalSession.fields("4711 (a) S 1 2") == nil)
  }
}
