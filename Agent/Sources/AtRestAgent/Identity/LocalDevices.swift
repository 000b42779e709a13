import Foundation

/// The file systems that no program serves, and no other computer.
enum LocalDevices {
  private static let kinds: Set<Substring> = [
    "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "bcachefs", "zfs", "overlay", "tmpfs", "ramfs",
    "rootfs",
    "squashfs", "erofs", "vfat", "exfat",
  ]

  /// Returns true if a device is that of a local file system. No file system is asked, and one that is mounted
  /// elsewhere is not known.
  static func contain(_ device: UInt64) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8) else {
      return false
    }
    let major = device >> 8 & 0xFFF | device >> 32 & 0xFFFF_F000
    let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
    let name = "\(major):\(minor)"
    return text.split(separator: "\n").contains { line in
      let words = line.split(separator: " ")
      guard words.count > 8, words[2] == name, let end = words.firstIndex(of: "-") else {
        return false
      }
      return end + 1 < words.count && kinds.contains(words[end + 1])
    }
  }
}
