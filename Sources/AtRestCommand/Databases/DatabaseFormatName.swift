import ArgumentParser
import AtRestDatabase

/// The names of the formats on the command line.
enum DatabaseFormatName: String, ExpressibleByArgument, CaseIterable {
  case sqlcipher4, sqlcipher3, sqlcipher2
  case sqlcipher2BigEndian = "sqlcipher2-be"
  case sqlcipher2Beta = "sqlcipher2-beta"
  case sqlcipher1

  var format: DatabaseFormat {
    switch self {
    case .sqlcipher4: .sqlcipher4
    case .sqlcipher3: .sqlcipher3
    case .sqlcipher2: .sqlcipher2
    case .sqlcipher2BigEndian: .sqlcipher2BigEndian
    case .sqlcipher2Beta: .sqlcipher2Beta
    case .sqlcipher1: .sqlcipher1
    }
  }
}
