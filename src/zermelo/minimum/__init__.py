"""The smallest proofs: trees and graphs, exact or between bounds."""
