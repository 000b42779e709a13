@_exported import AtRestSecrets
