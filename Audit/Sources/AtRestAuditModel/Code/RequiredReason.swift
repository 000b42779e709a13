import AtRestFormats

/// The categories of API for which a privacy manifest must give a reason.
package enum RequiredReason: String, CaseIterable, Sendable {
  case fileTimestamp = "NSPrivacyAccessedAPICategoryFileTimestamp"
  case systemBootTime = "NSPrivacyAccessedAPICategorySystemBootTime"
  case diskSpace = "NSPrivacyAccessedAPICategoryDiskSpace"
  case activeKeyboards = "NSPrivacyAccessedAPICategoryActiveKeyboards"
  case userDefaults = "NSPrivacyAccessedAPICategoryUserDefaults"

  /// The names of the APIs in the category.
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
    case .systemBootTime: "the time since the system started"
    case .diskSpace: "the free disk space"
    case .activeKeyboards: "the active keyboards"
    case .userDefaults: "UserDefaults"
    }
  }
}
