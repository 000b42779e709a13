import AtRestFormats

/// What source code uses, as far as entitlements and the privacy manifest speak of it.
package struct CodeUse: Sendable {
  /// Modules imported, and the folders of headers included.
  package var modules: Set<String>
  /// Names of functions, types, constants and arguments that code mentions.
  package var names: Set<String>
  /// Where each category of API that needs a reason is used.
  package var categories: [RequiredReason: [Location]]

  package init(
    modules: Set<String> = [], names: Set<String> = [],
    categories: [RequiredReason: [Location]] = [:]
  ) {
    self.modules = modules
    self.names = names
    self.categories = categories
  }
}

/// Categories of API for whose use a privacy manifest has to give a reason.
package enum RequiredReason: String, CaseIterable, Sendable {
  case fileTimestamp = "NSPrivacyAccessedAPICategoryFileTimestamp"
  case systemBootTime = "NSPrivacyAccessedAPICategorySystemBootTime"
  case diskSpace = "NSPrivacyAccessedAPICategoryDiskSpace"
  case activeKeyboards = "NSPrivacyAccessedAPICategoryActiveKeyboards"
  case userDefaults = "NSPrivacyAccessedAPICategoryUserDefaults"

  /// Names whose use needs the reason.
  package var names: Set<String> {
    switch self {
    case .fileTimestamp:
      [
        "creationDate", "creationDateKey", "modificationDate", "contentModificationDateKey",
        "fileModificationDate", "NSURLCreationDateKey", "NSURLContentModificationDateKey",
        "NSFileCreationDate", "NSFileModificationDate", "getattrlist", "getattrlistbulk",
        "fgetattrlist",
        "fstat", "fstatat", "lstat", "getattrlistat",
      ]
    case .systemBootTime: ["systemUptime", "mach_absolute_time"]
    case .diskSpace:
      [
        "volumeAvailableCapacityKey", "volumeAvailableCapacityForImportantUsageKey",
        "volumeAvailableCapacityForOpportunisticUsageKey", "volumeTotalCapacityKey",
        "systemFreeSize",
        "systemSize", "NSFileSystemFreeSize", "NSFileSystemSize", "statfs", "statvfs", "fstatfs",
        "fstatvfs", "NSURLVolumeAvailableCapacityKey", "NSURLVolumeTotalCapacityKey",
        "NSURLVolumeAvailableCapacityForImportantUsageKey",
      ]
    case .activeKeyboards: ["activeInputModes"]
    case .userDefaults: ["UserDefaults", "NSUserDefaults", "AppStorage"]
    }
  }

  package var noun: String {
    switch self {
    case .fileTimestamp: "file timestamps"
    case .systemBootTime: "the time since the system began"
    case .diskSpace: "the free disk space"
    case .activeKeyboards: "the active keyboards"
    case .userDefaults: "UserDefaults"
    }
  }
}
