/// The signs of a jailbroken device. An application can extend the lists as tools change.
package struct JailbreakSigns: Hashable, Sendable, Codable {
  /// Files and folders of jailbreaks, their package managers and tools.
  package var paths: [String]
  /// URL schemes of applications for jailbroken devices. An application can query only the schemes
  /// that its own property list declares.
  package var schemes: [String]
  /// Folders in which no application may write.
  package var writableFolders: [String]

  /// Creates a table of signs.
  package init(paths: [String], schemes: [String], writableFolders: [String]) {
    self.paths = paths
    self.schemes = schemes
    self.writableFolders = writableFolders
  }

  /// The signs known to this version.
  package static let known = JailbreakSigns(
    paths: [
      "/Applications/Cydia.app", "/Applications/Sileo.app", "/Applications/Zebra.app",
      "/Applications/blackra1n.app", "/Applications/FakeCarrier.app", "/Applications/Icy.app",
      "/Applications/IntelliScreen.app", "/Applications/MxTube.app", "/Applications/RockApp.app",
      "/Applications/SBSettings.app", "/Applications/WinterBoard.app",
      "/Library/MobileSubstrate/MobileSubstrate.dylib",
      "/Library/MobileSubstrate/DynamicLibraries", "/Library/PreferenceBundles/ABypassPrefs.bundle",
      "/System/Library/LaunchDaemons/com.ikey.bbot.plist",
      "/System/Library/LaunchDaemons/com.saurik.Cydia.Startup.plist", "/bin/bash", "/bin/sh",
      "/etc/apt", "/etc/ssh/sshd_config", "/private/etc/apt", "/private/var/lib/apt",
      "/private/var/lib/cydia", "/private/var/mobile/Library/SBSettings/Themes",
      "/private/var/stash", "/private/var/tmp/cydia.log", "/private/var/tmp/frida",
      "/usr/bin/cycript",
      "/usr/bin/ssh", "/usr/bin/sshd", "/usr/lib/frida", "/usr/lib/libhooker.dylib",
      "/usr/lib/libjailbreak.dylib", "/usr/lib/substitute-inserter.dylib",
      "/usr/lib/TweakInject.dylib", "/usr/libexec/cydia", "/usr/libexec/sftp-server",
      "/usr/libexec/ssh-keysign", "/usr/local/bin/cycript", "/usr/sbin/frida-server",
      "/usr/sbin/sshd",
      "/var/binpack", "/var/cache/apt", "/var/jb", "/var/lib/apt", "/var/lib/cydia",
      "/.bootstrapped_electra", "/.cydia_no_stash", "/.installed_unc0ver", "/.procursus_strapped",
    ],
    schemes: ["activator", "cydia", "filza", "sileo", "undecimus", "xina", "zbra"],
    writableFolders: ["/", "/private", "/private/var", "/root", "/System/Library"])
}

extension RuntimeIntegrity {
  func jailbreak() -> [RuntimeFinding] { jailbreak(.known) }

  /// Looks for the given signs of a jailbreak.
  ///
  /// The check applies only to Apple's mobile platforms.
  package func jailbreak(_ signs: JailbreakSigns) -> [RuntimeFinding] {
    guard environment.platform == .appleMobile else {
      return [RuntimeFinding(.jailbreak, .notApplicable, "Jailbreaks do not exist on this system.")]
    }
    let answers = signs.schemes.map { ($0, environment.canOpen($0)) }
    let found = [
      ("Files of a jailbreak exist", signs.paths.filter(environment.exists)),
      (
        "The program can write outside of its sandbox",
        signs.writableFolders.filter(environment.canWrite)
      ),
      (
        "Applications for jailbroken devices are installed",
        answers.filter { $0.1 == true }.map { $0.0 + "://" }
      ),
    ].filter { !$0.1.isEmpty }
    guard found.isEmpty else {
      return found.map { sign, places in
        RuntimeFinding(
          .jailbreak, .found, "\(sign): \(Self.list(places)).", severity: .high,
          remedy: "Keep no sensitive data on this device; restore Apple's original system.")
      }
    }
    // URL schemes are an additional sign. If they cannot be checked, the check is weaker but still
    // counts.
    let unasked = answers.contains { $0.1 == nil } ? " URL schemes were not checked." : ""
    return [RuntimeFinding(.jailbreak, .clear, "No sign of a jailbreak.\(unasked)")]
  }
}
