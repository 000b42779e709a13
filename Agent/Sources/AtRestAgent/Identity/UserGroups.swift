import Foundation

/// The groups of the agent's user, in which every program of the user can be.
enum UserGroups {
  private static let own: Set<gid_t> = {
    var groups = [gid_t](repeating: 0, count: 65_536)
    let count = getgroups(Int32(groups.count), &groups)
    return Set(groups.prefix(Int(max(0, count)))).union([getgid(), getegid()])
  }()

  /// The group that stands for all groups that a user namespace does not have.
  private static let overflow: gid_t = 65_534

  /// Returns true if a process of the user has a group that the user is not in: its program has the
  /// set-group-ID bit.
  ///
  /// The group has to have a name. In a user namespace, every program of the user can take the
  /// user's subordinate groups (`/etc/subgid`), which have none.
  static func isForeign(_ group: gid_t) -> Bool {
    guard !own.contains(group), group != overflow, getgrgid(group) != nil else { return false }
    // The user may have come into the group after the agent started.
    guard let user = getpwuid(geteuid()) else { return false }
    var groups = [gid_t](repeating: 0, count: 65_536)
    var count = Int32(groups.count)
    guard getgrouplist(user.pointee.pw_name, user.pointee.pw_gid, &groups, &count) >= 0 else {
      return false
    }
    return !groups.prefix(Int(count)).contains(group)
  }
}
