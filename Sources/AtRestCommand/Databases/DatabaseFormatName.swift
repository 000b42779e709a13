import ArgumentParser
import AtRestDatabase

/// The names of the formats on the command line.
enum DatabaseFormatName: String, ExpressibleByArgument, CaseIterable {
  case atrest, sqlcipher4, sqlcipher3, sqlcipher2, sqlcipher1

  var format: DatabaseFormat {
    switch self {
    case .atrest: .atrest
    case .sqlcipher4: .sqlcipher4
    case .sqlcipher3: .sqlcipher3
    case .sqlcipher2: .sqlcipher2
    case .sqlcipher1: .sqlcipher1
    }
  }
}
