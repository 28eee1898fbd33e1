report_sources += \
	src/result/anytime.c \
	src/result/anytime.h \
	src/result/cells.c \
	src/result/claims.c \
	src/result/claims.h \
	src/result/compare.c \
	src/result/compare.h \
	src/result/compare_page.c \
	src/result/components.c \
	src/result/components.h \
	src/result/contrasts.c \
	src/result/decisions.c \
	src/result/definitions.c \
	src/result/definitions.h \
	src/result/diff.c \
	src/result/diff.h \
	src/result/doc.c \
	src/result/doc.h \
	src/result/doc_html.c \
	src/result/doc_md.c \
	src/result/doc_tex.c \
	src/result/figure.c \
	src/result/figure.h \
	src/result/figure_calibration.c \
	src/result/figure_cells.c \
	src/result/figure_curves.c \
	src/result/figure_gains.c \
	src/result/figure_overall.c \
	src/result/figure_ranks.c \
	src/result/figure_verdicts.c \
	src/result/figure_parts.h \
	src/result/gains.c \
	src/result/gains.h \
	src/result/metattack.c \
	src/result/metattack.h \
	src/result/overall.c \
	src/result/overall.h \
	src/result/page.c \
	src/result/page.h \
	src/result/paper.c \
	src/result/paper.h \
	src/result/ranks.c \
	src/result/ranks.h \
	src/result/render.c \
	src/result/report.c \
	src/result/report.h \
	src/result/results.c \
	src/result/results.h \
	src/result/section_depends.c \
	src/result/section_differences.c \
	src/result/section_environment.c \
	src/result/section_figures.c \
	src/result/section_gains.c \
	src/result/section_legend.c \
	src/result/section_summary.c \
	src/result/section_table.c \
	src/result/sections.h \
	src/result/stats.c \
	src/result/stats.h \
	src/result/table.c \
	src/result/table.h \
	src/result/table_defs.c \
	src/result/table_files.c \
	src/result/table_files.h \
	src/result/table_overall.c \
	src/result/table_parts.h \
	src/result/trends.c \
	src/result/verdicts.c \
	src/result/verdicts.h \
	src/result/warnings.c

# The style and the script of the report, as C strings: the page is one file without outside references.
BUILT_SOURCES += src/result/report_files.h
CLEANFILES += src/result/report_files.h
EXTRA_DIST += src/result/report.css src/result/report.js
src/result/report_files.h: src/result/report.css src/result/report.js src/result/local.mk
	$(AM_V_GEN)$(MKDIR_P) src/result; for kind in css js; do echo "static const char report_$$kind[] ="; \
		sed 's/[\\"]/\\&/g; s/.*/    "&\\n"/' $(srcdir)/src/result/report.$$kind; echo '    ;'; done >$@.new && mv $@.new $@
src/result/page.$(OBJEXT): src/result/report_files.h
