/// What a reading gives, beside what was acknowledged.
struct LifeComparison {
  /// Names, with the expected value and the one that was read.
  let differences: [(name: String, expected: String?, read: String?)]

  init(_ entries: LifeEntries, _ values: [String: String]) {
    differences = Set(entries.keys).union(values.keys).sorted().compactMap { name in
      let (expected, read) = (entries[name]?.value, values[name])
      return expected == read || name.hasPrefix("handle/") ? nil : (name, expected, read)
    }
  }

  /// The differences in words, those with an error first, because they may explain the others.
  var text: String {
    let sorted = differences.sorted {
      ($0.read?.hasPrefix("!") == true ? 0 : 1, $0.name)
        < ($1.read?.hasPrefix("!") == true ? 0 : 1, $1.name)
    }
    let lines = sorted.prefix(6).map { difference in
      switch (difference.expected, difference.read) {
      case (nil, let read?): "\(difference.name) should not be there: \(read)"
      case (let expected?, nil): "\(difference.name) is lost: \(expected)"
      case (let expected, let read): "\(difference.name) is \(read ?? "-"), not \(expected ?? "-")"
      }
    }
    return "\(differences.count) differ: " + lines.joined(separator: "; ")
  }
}
