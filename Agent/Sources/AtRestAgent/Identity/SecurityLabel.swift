/// The label that a security module gives a process.
enum SecurityLabel {
  /// Returns the label in the kernel's bytes, or nil if it says nothing about the program: it confines
  /// nothing, or all programs of a user or of a container have it.
  ///
  /// - Parameter common: Labels that any program of the user has here.
  static func evidence(_ bytes: [UInt8], common: Set<String>) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty,
      !common.contains(text), !text.unicodeScalars.contains(where: { $0.value < 32 })
    else { return nil }
    if let profiles = appArmorProfiles(text) {
      // Whoever can enter one profile of a stack can add the others: a program without a profile that enters
      // one gets a stack with `unconfined`, and one in a container a stack with the container's.
      return profiles.allSatisfy { !isShared(profile: $0) } ? text : nil
    }
    guard !text.contains("(") else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count >= 3 { return isShared(type: String(parts[2])) ? nil : text }
    return otherShared.contains(text) ? nil : text
  }

  /// Returns true if a profile of AppArmor confines the process, whether it says something about the program
  /// or not. A label of an unknown form counts as one. Some profiles confine nothing: they give a program that
  /// makes sandboxes itself, such as a browser or an editor, the right to do so, and all that it starts has them.
  ///
  /// - Parameter common: Labels that any program of the user has here.
  static func confines(_ bytes: [UInt8], common: Set<String>) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return true }
    guard !common.contains(text), ![" (complain)", " (unconfined)"].contains(where: text.hasSuffix)
    else { return false }
    // Only a part of a stack may be enforced.
    let mixed = " (mixed)"
    let known = text.hasSuffix(mixed) ? text.dropLast(mixed.count) + " (enforce)" : text
    if let profiles = appArmorProfiles(known) { return profiles.contains { $0 != "unconfined" } }
    return text.contains("(") || text.unicodeScalars.contains { $0.value < 32 }
  }

  /// Returns the profiles of AppArmor in a label such as `firefox (enforce)`, which are stacked with
  /// `//&`. Returns nil for a label of another module, and of profiles that are not enforced.
  private static func appArmorProfiles(_ text: String) -> [Substring]? {
    for mode in [" (enforce)", " (kill)"] where text.hasSuffix(mode) {
      let names = text.dropLast(mode.count)
      return names.split(separator: "//&")
    }
    return nil
  }

  private static func isShared(profile: Substring) -> Bool {
    profile.isEmpty || profile == "unconfined" || profile.hasSuffix(":unconfined")
      || profile.hasSuffix("//unconfined")
      || sharedProfiles.contains { profile.hasPrefix($0) }
  }

  /// Profiles that contain whatever is run in them.
  private static let sharedProfiles = [
    "docker-default", "containers-default", "crio-default", "cri-containerd", "lxc-", "lxd-",
    "incus-", ":lxd-", ":incus-", "firejail-default", "unprivileged_userns", "unpriv_", "bwrap",
    "busybox", "flatpak",
  ]

  private static func isShared(type: String) -> Bool {
    sharedTypes.contains(type) || sharedTypePrefixes.contains { type.hasPrefix($0) }
  }

  /// Domains of logins, and of what they start, in SELinux's usual policies.
  private static let sharedTypePrefixes = [
    "unconfined_", "user_", "staff_", "sysadm_", "guest_", "xguest_", "container_", "svirt_",
    "secadm_", "auditadm_",
  ]

  private static let sharedTypes: Set<String> = [
    "spc_t", "docker_t", "init_t", "initrc_t", "kernel_t", "crond_t", "cronjob_t",
    "system_cronjob_t", "atd_t", "sshd_t", "local_login_t", "remote_login_t", "xdm_t",
    "openshift_t", "virtd_lxc_t", "",
  ]

  /// Smack's labels that many programs have.
  private static let otherShared: Set<String> = [
    "_", "*", "^", "?", "@", "User", "System", "unconfined",
  ]
}
