import CExtendedAttributes

/// The extended attributes by which an app tells iOS to leave a file or a folder out of backups.
enum BackupExclusion {
  /// `isExcludedFromBackup` sets the first. The second is that of iOS 5.0.1.
  private static let names = [
    "com.apple.metadata:com_apple_backup_excludeItem", "com.apple.MobileBackup",
  ]
  /// The namespaces in which copies have the attributes: that of Linux, and none as on Apple's file systems.
  private static let spaces = ["user.", ""]

  /// True if one of the extended attributes that an archive has of an entry is among them.
  static func marks(_ attributes: [String]) -> Bool {
    attributes.contains { attribute in
      spaces.contains {
        attribute.hasPrefix($0) && names.contains(String(attribute.dropFirst($0.count)))
      }
    }
  }

  /// True if the file or the folder itself has such an attribute. A link is not followed.
  static func marks(_ path: String) -> Bool {
    names.contains { name in
      #if canImport(Darwin)
        getxattr(path, name, nil, 0, 0, XATTR_NOFOLLOW) >= 0
      #else
        spaces.contains { lgetxattr(path, $0 + name, nil, 0) >= 0 }
      #endif
    }
  }
}
