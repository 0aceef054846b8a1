// Gives the tables of a FerretDB on SQLite an index that its own queries use.
//
// FerretDB 1.24 makes its index of _id on _ferretdb_sjson->"_id" and asks for _ferretdb_sjson->'$._id': for SQLite two
// expressions, so that every look-up reads the whole table. Built inside of FerretDB's module, whose driver it uses.
package main

import (
	"database/sql"
	"fmt"
	"os"
	"strings"

	_ "modernc.org/sqlite"
)

// The argument is the path of a database's file. Prints how many tables have the index now.
func main() {
	count, err := indexAll("file:" + os.Args[1] + "?_pragma=busy_timeout(10000)")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(count)
}

func indexAll(uri string) (int, error) {
	db, err := sql.Open("sqlite", uri)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	tables, err := names(db)
	if err != nil {
		return 0, err
	}
	for _, table := range tables {
		const query = `CREATE INDEX IF NOT EXISTS %q ON %q (_ferretdb_sjson->'$._id')`
		if _, err := db.Exec(fmt.Sprintf(query, table+"__id_path", table)); err != nil {
			return 0, err
		}
		if err := mustBeUsed(db, table); err != nil {
			return 0, err
		}
	}
	return len(tables), nil
}

// Asks SQLite how it would find a record in FerretDB's own words.
func mustBeUsed(db *sql.DB, table string) error {
	const query = `EXPLAIN QUERY PLAN SELECT _ferretdb_sjson FROM %q WHERE _ferretdb_sjson->'$._id' = ?`
	var id, parent, unused int
	var plan string
	if err := db.QueryRow(fmt.Sprintf(query, table), `"id"`).Scan(&id, &parent, &unused, &plan); err != nil {
		return err
	}
	if !strings.Contains(plan, "USING INDEX") {
		return fmt.Errorf("no index of %s is used: %s", table, plan)
	}
	return nil
}

func names(db *sql.DB) ([]string, error) {
	rows, err := db.Query(`SELECT table_name FROM "_ferretdb_collections"`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var tables []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		tables = append(tables, name)
	}
	return tables, rows.Err()
}
