import Foundation

/// The unit of the system's service manager in which a process runs.
struct SystemUnit: Equatable {
  let name: String
  /// The path of its control group.
  let path: String

  /// Reads the text of `cgroup` in `/proc/PID`. Returns nil if the process is in no service of the
  /// system's manager.
  ///
  /// A user's own manager starts units with any name for any of the user's programs, so its units do
  /// not count.
  init?(controlGroups text: String) {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
      return nil
    }
    let parts = line.dropFirst("0::/".count).split(separator: "/")
    guard parts.first == "system.slice" || parts.first?.hasPrefix("system-") == true,
      !parts.contains(where: { $0.hasPrefix("user@") || $0 == "user.slice" }),
      let index = parts.firstIndex(where: { $0.hasSuffix(".service") })
    else { return nil }
    name = String(parts[index])
    path = "/" + parts[...index].joined(separator: "/")
  }

  /// Returns true if only the program that the unit names runs in the unit, as far as can be seen: it is
  /// none of those that run programs of the user's choice, it is not the agent's own, and all of its
  /// processes belong to the user. The daemons that log users in or run their jobs belong to root.
  func isEvidence(for user: UInt32) -> Bool {
    !runsProgramsOfUsers && name != CommonEvidence.own.unit && Self.belongs(path, to: user)
  }

  /// True for units that run programs of the user's choice.
  var runsProgramsOfUsers: Bool {
    let base = name.prefix { $0 != "@" && $0 != "." }
    return Self.choosers.contains(String(base)) || name.hasPrefix("run-")
      || name.hasPrefix("actions.runner.")
  }

  private static let choosers: Set<String> = [
    // Jobs
    "cron", "crond", "cronie", "fcron", "anacron", "at", "atd", "slurmd", "jenkins",
    "gitlab-runner",
    // Logins
    "ssh", "sshd", "dropbear", "getty", "serial-getty", "console-getty", "container-getty",
    "autovt",
    "gdm", "gdm3", "sddm", "lightdm", "lxdm", "xdm", "greetd", "ly", "display-manager", "user",
    "user-runtime-dir", "systemd-logind", "xrdp", "xrdp-sesman", "vncserver", "tigervncserver",
    "cockpit", "cockpit-session", "ttyd", "shellinabox", "code-server", "jupyter", "jupyterhub",
    // Activation, containers and virtual machines
    "dbus", "dbus-broker", "polkit", "docker", "containerd", "podman", "crio", "buildkit", "lxc",
    "lxd", "incus", "libvirtd", "systemd-nspawn", "snapd",
    // Commands in the user's files
    "postfix", "exim", "exim4", "sendmail", "opensmtpd", "dovecot", "apache2", "httpd",
  ]

  private static let root = "/sys/fs/cgroup"
  private static let mostProcesses = 4096

  /// Returns true if all processes of a control group, and at least one, belong to a user.
  private static func belongs(_ path: String, to user: UInt32) -> Bool {
    var folders = [root + path]
    var count = 0
    while let folder = folders.popLast() {
      guard let text = try? String(contentsOfFile: folder + "/cgroup.procs", encoding: .utf8),
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
      else { return false }
      for process in text.split(separator: "\n") {
        count += 1
        guard count <= mostProcesses, owner(of: process).map({ $0 == user }) ?? true else {
          return false
        }
      }
      folders += names.map { folder + "/" + $0 }.filter {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder)
          && isFolder.boolValue
      }
      guard folders.count <= mostProcesses else { return false }
    }
    return count > 0
  }

  /// Returns the user of a process. The folder of a process that cannot be dumped belongs to root, but
  /// its file `status` names the user. Returns nil if the process has ended.
  private static func owner(of process: Substring) -> UInt32? {
    guard
      let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Uid:") })
    else { return nil }
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { UInt32($0) }
  }
}
